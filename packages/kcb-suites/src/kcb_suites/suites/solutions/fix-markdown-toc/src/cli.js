import { readFileSync, writeFileSync } from "node:fs";
import { TocError } from "./errors.js";
import { update } from "./document.js";

const USAGE = "usage: tocdown [--check] [--ordered] [--min N] [--max N] FILE...";

/** Run the program; gives its exit status. */
export function main(args) {
  const request = parse(args);
  if (!request) {
    console.error(USAGE);
    return 2;
  }
  let status = 0;
  for (const file of request.files) {
    status = Math.max(status, one(file, request));
  }
  return status;
}

/** Do one file; gives the exit status that it asks for. */
function one(file, { check, options }) {
  let source;
  try {
    source = readFileSync(file, "utf8");
  } catch {
    console.error(`tocdown: ${file}: cannot read`);
    return 2;
  }
  try {
    const result = update(source, options);
    if (result.status === "updated" && !check) writeFileSync(file, result.source);
    const stale = result.status === "updated" && check;
    console.log(`${stale ? "stale" : result.status} ${file}`);
    return stale ? 1 : 0;
  } catch (error) {
    if (!(error instanceof TocError)) throw error;
    console.error(`tocdown: ${file}: ${error.message}`);
    return 2;
  }
}

/** The request that the arguments spell, or null if they are wrong. */
function parse(args) {
  const request = { check: false, options: {}, files: [] };
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    if (arg === "--check") request.check = true;
    else if (arg === "--ordered") request.options.ordered = true;
    else if (arg === "--min" || arg === "--max") {
      index += 1;
      if (!/^[1-6]$/.test(args[index] ?? "")) return null;
      request.options[arg.slice(2)] = Number(args[index]);
    } else if (arg.startsWith("-")) return null;
    else request.files.push(arg);
  }
  return request.files.length > 0 ? request : null;
}
