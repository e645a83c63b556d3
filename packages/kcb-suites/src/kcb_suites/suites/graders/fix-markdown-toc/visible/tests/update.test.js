import assert from "node:assert/strict";
import { test } from "node:test";
import { table, TocError, update } from "../src/index.js";

const DOCUMENT = "# Kiln\n\n<!-- toc -->\n\n## Firing\n\n### Glazes\n\n## Care\n";

test("a table is put in, and a stop marker after it", () => {
  assert.deepEqual(update(DOCUMENT), {
    status: "updated",
    source:
      "# Kiln\n\n<!-- toc -->\n\n- [Firing](#firing)\n  - [Glazes](#glazes)\n- [Care](#care)\n\n" +
      "<!-- tocstop -->\n\n## Firing\n\n### Glazes\n\n## Care\n",
  });
});

test("the second run changes nothing", () => {
  const { source } = update(DOCUMENT);
  assert.deepEqual(update(source), { source, status: "unchanged" });
});

test("a document without a marker is not touched", () => {
  assert.deepEqual(update("## A\n"), { source: "## A\n", status: "no marker" });
});

test("a numbered table counts in each list", () => {
  assert.equal(
    table("## A\n### B\n### C\n## D\n### E\n", { ordered: true }),
    "1. [A](#a)\n   1. [B](#b)\n   2. [C](#c)\n2. [D](#d)\n   1. [E](#e)",
  );
});

test("options of the marker win, and unknown ones are refused", () => {
  const { source } = update("<!-- toc max=2 -->\n## A\n### B\n", { max: 3 });
  assert.match(source, /\n- \[A\]\(#a\)\n\n<!-- tocstop -->/);
  assert.throws(() => update("<!-- toc deep -->\n"), new TocError("unknown toc option: deep"));
});
