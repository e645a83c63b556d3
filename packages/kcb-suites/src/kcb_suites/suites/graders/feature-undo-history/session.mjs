/**
 * Plays a script with an editor of the workspace and answers with what was seen.
 *
 * A script is steps with " | " between them: a word and its argument. In arguments "_" is a blank and
 * "/" a line break; "{" opens a list of steps, which "}" closes. `look` notes text, selection, the two
 * labels and "*" if the editor is modified.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Editor } = await import(pathToFileURL(join(process.cwd(), "src/index.js")).href);

const COMMANDS = {
  type: "typeText", back: "backspace", delete: "deleteForward", enter: "enter", format: "setType",
  up: "moveUp", down: "moveDown", cut: "cut", paste: "paste", all: "selectAll", load: "load",
  undo: "undo", redo: "redo", break: "breakGroup", save: "markSaved", clear: "clearHistory",
};
const WITH_TEXT = ["type", "format", "paste", "load"];
const FACTS = ["canUndo", "canRedo", "undoLabel", "redoLabel", "isModified"];

export function answer({ options = {}, script }) {
  const clock = { time: 5000 };
  let editor;
  try {
    editor = new Editor({ now: () => clock.time, ...options });
  } catch (error) {
    return [`${error.name}`];
  }
  const session = { editor, clock, seen: [], events: [], document: editor.document };
  for (const name of ["change", "selection", "history"]) {
    editor.on(name, (details) => session.events.push(event(name, details)));
  }
  play(session, parse(script.split(" | ")));
  return session.seen;
}

function event(name, details) {
  if (name === "change") return details.source;
  if (name === "selection") return name;
  return FACTS.map((fact) => String(details[fact])).join(",");
}

function parse(words) {
  const steps = [];
  while (words.length) {
    const word = words.shift();
    if (word === "}") break;
    const [, name, argument] = /^(\S+) ?(.*)$/.exec(word.replace(/ \{$/, ""));
    const text = argument.replaceAll("_", " ").replaceAll("/", "\n");
    steps.push({ name, text, inner: word.endsWith(" {") ? parse(words) : null });
  }
  return steps;
}

function play(session, steps) {
  let result;
  for (const step of steps) result = playOne(session, step) ?? result;
  return result;
}

function playOne(session, { name, text, inner }) {
  const { editor, seen } = session;
  if (name in COMMANDS) {
    const value = editor[COMMANDS[name]](...(WITH_TEXT.includes(name) ? [text] : []));
    if (["undo", "redo"].includes(name) && value !== true) seen.push(`${name} ${value}`);
    return undefined;
  }
  switch (name) {
    case "letters":
      for (const letter of text) editor.typeText(letter);
      return undefined;
    case "select":
      editor.select(...text.split(" ").map(toPosition));
      return undefined;
    case "replace":
      editor.replaceAll(...text.split(">"));
      return undefined;
    case "wait":
      session.clock.time += Number(text);
      return undefined;
    case "group":
      seen.push(...[editor.group(text, () => play(session, inner))].filter((v) => v !== undefined));
      return undefined;
    case "try":
      try {
        play(session, inner);
        seen.push("no error");
      } catch (error) {
        seen.push(`${error.name}: ${error.name === "TypeError" ? "" : error.message}`);
      }
      return undefined;
    case "throw":
      throw new Error("thrown");
    case "promise":
      return { then: () => undefined };
    case "return":
      return text;
    case "look":
      seen.push(look(editor));
      return undefined;
    case "ids":
      seen.push(editor.document.blocks.map((block) => block.id).join(" "));
      return undefined;
    case "facts":
      seen.push(FACTS.map((fact) => String(editor[fact])).join(","));
      return undefined;
    case "events":
      seen.push(session.events.splice(0).join(" "));
      return undefined;
    case "version": {
      const { version } = editor.document;
      seen.push(version > (session.version ?? 0) ? "risen" : "not risen");
      session.version = version;
      return undefined;
    }
    case "same":
      seen.push(String(session.document === editor.document));
      return undefined;
    default:
      throw new Error(`the grader has no step ${name}`);
  }
}

function toPosition(text) {
  const [block, offset] = text.split(":").map(Number);
  return { block, offset };
}

function look(editor) {
  const at = ({ block, offset }) => `${block}:${offset}`;
  const { anchor, focus } = editor.selection;
  const selection = at(anchor) === at(focus) ? at(focus) : `${at(anchor)}-${at(focus)}`;
  const text = editor.text.replaceAll("\n", "/");
  const labels = `<${editor.undoLabel ?? ""} >${editor.redoLabel ?? ""}`;
  return `${text} @${selection} ${labels}${editor.isModified ? " *" : ""}`;
}
