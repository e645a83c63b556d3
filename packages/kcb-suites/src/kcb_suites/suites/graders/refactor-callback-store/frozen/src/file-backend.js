import fs from "node:fs";
import path from "node:path";

/** Keeps files in a folder, which is made when the first file is written. */
export class FileBackend {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  read(name, callback) {
    fs.readFile(this.#path(name), "utf8", callback);
  }

  write(name, text, callback) {
    this.#makeFolder((error) => {
      if (error) return callback(error);
      const draft = `${this.#path(name)}.new`;
      fs.writeFile(draft, text, (error) => {
        if (error) return callback(error);
        fs.rename(draft, this.#path(name), (error) => callback(error ?? null));
      });
    });
  }

  append(name, text, callback) {
    this.#makeFolder((error) => {
      if (error) return callback(error);
      fs.appendFile(this.#path(name), text, (error) => callback(error ?? null));
    });
  }

  remove(name, callback) {
    fs.unlink(this.#path(name), (error) => callback(error ?? null));
  }

  #path(name) {
    return path.join(this.#folder, encodeURIComponent(name));
  }

  #makeFolder(callback) {
    fs.mkdir(this.#folder, { recursive: true }, (error) => callback(error ?? null));
  }
}
