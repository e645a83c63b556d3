import { appendFile, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import path from "node:path";

/** Keeps files in a folder, which is made when the first file is written. */
export class FileBackend {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  async read(name) {
    return readFile(this.#path(name), "utf8");
  }

  async write(name, text) {
    await this.#makeFolder();
    const draft = `${this.#path(name)}.new`;
    await writeFile(draft, text);
    await rename(draft, this.#path(name));
  }

  async append(name, text) {
    await this.#makeFolder();
    await appendFile(this.#path(name), text);
  }

  async remove(name) {
    await unlink(this.#path(name));
  }

  #path(name) {
    return path.join(this.#folder, encodeURIComponent(name));
  }

  async #makeFolder() {
    await mkdir(this.#folder, { recursive: true });
  }
}
