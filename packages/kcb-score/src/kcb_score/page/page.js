"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const table = document.getElementById("tasks");
  const sheet = document.getElementById("task");
  const root = document.documentElement;

  // Everything that a report says is set as text; nothing here ever parses HTML.
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  };

  // Theme: as the system says, until somebody chooses. A page from a file may not store it.
  const themes = ["auto", "light", "dark"];
  const memory = {
    get: () => { try { return localStorage.getItem("kcb-theme"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("kcb-theme", value); } catch { /* not allowed here */ } },
  };
  const themeButton = document.getElementById("theme");
  const setTheme = (name) => {
    if (name === "auto") delete root.dataset.theme; else root.dataset.theme = name;
    themeButton.textContent = `Theme: ${name}`;
  };
  let theme = themes.includes(memory.get()) ? memory.get() : "auto";
  setTheme(theme);
  themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    memory.set(theme);
    setTheme(theme);
  });
  // What a report says of one project, in the sheet of a task and on a page of its own.
  const seconds = (value) => (value === undefined ? "" : `${Number(value.toPrecision(3))} s`);
  const told = (parts) => parts.filter(Boolean).join(" · ");
  const link = (address, text) => {
    const element = make("a", "", text);
    element.href = address;
    return element;
  };
  const code = (text) => make("pre", "code", text);
  const marks = { " ": ["both", "", " "], "-": ["expected", "expected: ", "−"], "+": ["received", "received: ", "+"] };
  const diff = (wrong) => {
    const pre = make("pre", "code diff");
    wrong.lines.forEach(([mark, depth, text], number) => {
      const [name, spoken, sign] = marks[mark];
      const line = make("span", `line ${name} d${Math.min(depth, 6)}`, `${sign} `, make("span", "unseen", spoken), text);
      if (number === wrong.first) line.classList.add("first");
      pre.append(line);
    });
    return pre;
  };
  const exchanges = (wrong) => {
    const list = make("dl", "exchange");
    for (const [request, response] of wrong.before) {
      list.append(make("dt", "", make("b", "", "request"), request), make("dd", "", make("b", "", "response"), response || "none"));
    }
    return list;
  };
  const scenarios = (all) => {
    const strip = make("ul", "strip");
    strip.setAttribute("aria-hidden", "true");
    const open = [];
    for (const [name, tags, outcome, passed, total] of all) {
      const dot = make("span", `dot ${outcome === "passed" ? "resolved" : outcome}`);
      dot.title = `${name} (${tags}): ${passed} of ${total}, ${outcome}`;
      strip.append(make("li", "", dot));
      if (outcome === "failed") open.push(`${name}${tags && !name.startsWith(tags) ? ` (${tags})` : ""} ${passed}/${total}`);
    }
    const passed = all.filter((one) => one[2] === "passed").length;
    const unreached = all.filter((one) => one[2] === "unreached").length;
    return [
      make("h4", "", `Scenarios: ${passed} of ${all.length} passed${unreached ? `, ${unreached} not reached` : ""}`),
      strip,
      open.length ? make("p", "quiet", `Not passed: ${open.join(", ")}`) : null,
    ];
  };
  const wrongResponse = (wrong) => [
    make("h4", "", `First wrong response: scenario ${wrong.scenario}, session ${(wrong.session || 0) + 1}, request ${(wrong.request || 0) + 1}`),
    wrong.difference ? make("p", "", wrong.difference) : null,
    wrong.sent ? make("p", "quiet", "sent") : null,
    wrong.sent ? code(wrong.sent) : null,
    make("p", "quiet gap", "− expected, + received; the first difference has a bar at its left"),
    diff(wrong),
    wrong.silent ? make("p", "quiet", "No response came.") : null,
    wrong.before ? make("details", "", make("summary", "", `The session up to there (${wrong.before.length} exchanges)`), exchanges(wrong)) : null,
  ];
  const ending = (ended) => [
    ended.stderr ? make("h4", "", `Standard error of scenario ${ended.scenario}, the last of ${ended.stderr_bytes} bytes`) : null,
    ended.stderr ? code(ended.stderr) : null,
    make("p", "quiet", told([
      `scenario ${ended.scenario}: ${seconds(ended.wall_s || 0)} wall, ${seconds(ended.cpu_s || 0)} CPU`,
      ended.plays > 1 ? `played ${ended.plays} times` : "",
      ended.timer ? `ended by the ${ended.timer} timer` : "",
      ended.survivors ? `${ended.survivors} processes left over and killed` : "",
      ended.stdout_bytes ? `${ended.stdout_bytes} bytes on standard output` : "",
    ])),
  ];
  const project = (one) => make("article", "",
    make("h3", "", make("span", `dot ${one.outcome}`), told([one.subject || "no subject named", one.repetition ? `repetition ${one.repetition}` : "", one.kind || one.outcome])),
    one.reason ? make("p", "", one.reason) : null,
    make("p", "quiet", told([
      `${one.passed || 0} of ${one.total || 0} assertions right`, `evaluated in ${seconds(one.wall_s || 0)}, ${seconds(one.cpu_s || 0)} CPU`, one.file,
    ])),
    one.page ? make("p", "", link(...one.page)) : null,
    ...(one.wrong ? wrongResponse(one.wrong) : []),
    ...(one.ended ? ending(one.ended) : []),
    ...(one.scenarios ? scenarios(one.scenarios) : []),
    one.problems ? make("ul", "", ...one.problems.map((line) => make("li", "", line))) : null,
    ...(one.notes || []).map((note) => make("p", "quiet", note)),
  );
  const place = document.getElementById("project");
  if (place) place.append(project(data.project));
  if (!table) return;

  // Sorting: a heading sorts ascending, then descending, then as it was.
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  const order = new Intl.Collator("en", { numeric: true });
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : order.compare(a, b));
  const steps = { none: "ascending", ascending: "descending", descending: "none" };
  const sortBy = (column) => {
    const next = steps[headings[column].getAttribute("aria-sort") || "none"];
    headings.forEach((heading) => heading.removeAttribute("aria-sort"));
    headings[column].setAttribute("aria-sort", next);
    const sign = next === "descending" ? -1 : 1;
    const sorted = [...rows].sort((a, b) => {
      const found = next === "none" ? 0 : sign * compare(key(a, column), key(b, column));
      return found || a.dataset.place - b.dataset.place;
    });
    body.append(...sorted);
  };
  table.tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) sortBy(Number(button.dataset.column));
  });

  // Filtering.
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const haystack = new Map(rows.map((row) => [row, `${row.id} ${row.textContent}`.toLowerCase()]));
  const filter = () => {
    const asked = new FormData(form);
    const words = asked.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const states = row.dataset.states.split(",");
      row.hidden = !(
        words.every((word) => haystack.get(row).includes(word))
        && (!asked.get("tier") || row.dataset.tier === asked.get("tier"))
        && (!asked.get("category") || row.dataset.category === asked.get("category"))
        && (!asked.get("state") || states.includes(asked.get("state")))
        && (!asked.get("differ") || new Set(states).size > 1)
      );
      shown += !row.hidden;
    }
    count.textContent = shown === rows.length ? `${shown} tasks` : `${shown} of ${rows.length} tasks`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  // One task, in a sheet at the side; its address is its id.
  const title = document.getElementById("task-title");
  const content = document.getElementById("task-body");
  const earlier = document.getElementById("before");
  const later = document.getElementById("after");
  const visible = () => [...body.rows].filter((row) => !row.hidden);
  let current = null;
  const neighbour = (step) => {
    const all = visible();
    const place = all.indexOf(current);
    return place < 0 ? undefined : all[place + step];
  };
  const open = (row) => {
    if (current) delete current.dataset.open;
    current = row;
    row.dataset.open = "";
    title.textContent = row.id;
    const projects = data.projects[row.id] || [];
    content.replaceChildren(...projects.map(project));
    const missing = data.subjects.filter((name) => !projects.some((one) => (one.subject || "") === name));
    if (missing.length) content.append(make("p", "quiet", `No project was handed in${data.subjects.length > 1 ? ` by ${missing.join(", ")}` : ""}.`));
    earlier.disabled = !neighbour(-1);
    later.disabled = !neighbour(1);
    if (!sheet.open) sheet.showModal();
    sheet.scrollTop = 0;
    title.focus({ preventScroll: true });
  };
  const follow = () => {
    const row = rows.find((one) => one.id === decodeURIComponent(location.hash.slice(1)));
    if (row) open(row); else if (sheet.open) sheet.close();
  };
  const go = (step) => {
    const row = neighbour(step);
    if (row) location.replace(`#${row.id}`);
  };
  earlier.addEventListener("click", () => go(-1));
  later.addEventListener("click", () => go(1));
  document.getElementById("close").addEventListener("click", () => sheet.close());
  sheet.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  });
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
  sheet.addEventListener("close", () => {
    if (!current) return;
    history.replaceState(null, "", location.pathname + location.search);
    current.querySelector("a").focus();
    delete current.dataset.open;
    current = null;
  });
  window.addEventListener("hashchange", follow);
  follow();
})();
