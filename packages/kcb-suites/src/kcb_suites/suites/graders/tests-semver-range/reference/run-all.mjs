// Runs every test file in one process: starting one for each would take most of the time.
import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const files = readdirSync("tests", { recursive: true }).filter((name) => name.endsWith(".test.js"));
for (const name of files.sort()) {
  await import(pathToFileURL(path.resolve("tests", name)).href);
}
