// Keys, live differences, drafts, and the time an item is on the screen. The page works without any of it.
"use strict";

const main = document.querySelector("form[data-main]");
const live = document.getElementById("live");
const TYPED = "textarea, select, input:not([type=radio]):not([type=checkbox])";
const KEPT_DAYS = 30;

// Keys: an element says which key it answers to (data-key) and, where a click is not meant, what to do (data-do).

const actions = {
  help: () => document.getElementById("help").showModal(),
  edit: (summary) => {
    const details = summary.parentElement;
    details.open = true;
    details.querySelector("textarea").focus();
  },
  cycle: (fieldset) => {
    const choices = [...fieldset.querySelectorAll("input")];
    const next = choices[choices.findIndex((choice) => choice.checked) + 1];
    choices.forEach((choice) => { choice.checked = choice === next; });
    tell(fieldset.querySelector("legend"), next);
    changed(fieldset);
  },
  yes: () => {
    for (const choice of main.querySelectorAll("fieldset.check input[value=yes]")) choice.checked = true;
    live.textContent = "四项都是 All yes";
    changed(main);
  },
};

function tell(name, choice) {
  const value = choice ? choice.parentElement.textContent : "–";
  live.textContent = `${name.firstChild.textContent.trim()}：${value.trim()}`;
}

function changed(element) {
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function press(element) {
  if (element.dataset.do) {
    actions[element.dataset.do](element);
  } else if (element.matches("input[type=radio]")) {
    element.checked = true;
    element.focus();
    live.textContent = element.parentElement.innerText.replace(/\s+/g, " ").trim();
    changed(element);
  } else if (element.matches(TYPED)) {
    element.focus();
  } else {
    element.click();
  }
}

let composed = -1000;
document.addEventListener("compositionend", (event) => { composed = event.timeStamp; });

function isComposing(event) {
  // Safari sends the Enter that ends a composition after compositionend, and only the code tells.
  return event.isComposing || event.keyCode === 229 || (event.key === "Enter" && event.timeStamp - composed < 50);
}

document.addEventListener("keydown", (event) => {
  if (isComposing(event) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const isTyping = event.target.matches(TYPED);
  const isSubmit = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  const form = event.target.form || main;
  if (isSubmit && form && form === main) {
    event.preventDefault();
    main.requestSubmit();
  } else if (isTyping && event.key === "Escape") {
    event.target.blur();
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.target.matches("a, button, summary")) return;
  if (event.key === "Enter" && main) {
    event.preventDefault();
    main.requestSubmit();
    return;
  }
  const wanted = CSS.escape(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const element = document.querySelector(`[data-key~="${wanted}"]`);
  if (!element) return;
  event.preventDefault();
  press(element);
});

// Editing: choosing modify goes with it, and the difference is shown while typing.

function pieces(old, now) {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const a = old.slice(start, old.length - end);
  const b = now.slice(start, now.length - end);
  const middle = a.length * b.length > 250000 ? [["del", a.join("")], ["ins", b.join("")]] : longest(a, b);
  return [["span", old.slice(0, start).join("")], ...middle, ["span", old.slice(old.length - end).join("")]];
}

// The longest common subsequence of two arrays of characters, as pieces.
function longest(a, b) {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const here = i * width + j;
      best[here] = a[i] === b[j] ? best[here + width + 1] + 1 : Math.max(best[here + width], best[here + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const here = i * width + j;
    if (i < a.length && j < b.length && a[i] === b[j]) { found.push(["span", a[i]]); i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && best[here + width] >= best[here + 1])) { found.push(["del", a[i]]); i += 1; }
    else { found.push(["ins", b[j]]); j += 1; }
  }
  return found;
}

function compare(field) {
  const place = document.getElementById(`difference-${field.name}`);
  const base = field.dataset.base.replace(/\r\n/g, "\n");
  place.hidden = field.value === base;
  place.replaceChildren();
  if (place.hidden) return;
  let last = null;
  for (const [kind, text] of pieces([...base], [...field.value])) {
    if (!text) continue;
    if (!last || last.localName !== kind) last = place.appendChild(document.createElement(kind));
    last.textContent += text;
  }
  if (document.activeElement === field) chooseModify();
}

function chooseModify() {
  document.querySelector("input[name=verdict][value=modify]").checked = true;
}

for (const field of document.querySelectorAll("textarea[data-base]")) {
  field.addEventListener("input", () => compare(field));
  if (field.value !== field.dataset.base) compare(field);
}
for (const box of document.querySelectorAll(".keys input")) box.addEventListener("input", chooseModify);

// Drafts: kept in this browser from the first change to the submission, under item and revision.

function draftFields() {
  return [...main.elements].filter((field) => field.name && field.type !== "hidden" && field.type !== "submit");
}

function keepDraft() {
  const fields = draftFields().map((f) => (f.matches("[type=radio], [type=checkbox]") ? f.checked : f.value));
  try {
    localStorage.setItem(main.dataset.draft, JSON.stringify({ at: Date.now(), fields }));
  } catch { /* A full or forbidden storage loses the draft, nothing else. */ }
}

function restoreDraft() {
  const kept = JSON.parse(localStorage.getItem(main.dataset.draft) || "null");
  const fields = draftFields();
  if (!kept || kept.fields.length !== fields.length) return;
  fields.forEach((field, n) => {
    if (field.matches("[type=radio], [type=checkbox]")) field.checked = kept.fields[n];
    else field.value = kept.fields[n];
    if (field.dataset.base !== undefined) compare(field);
  });
  if (fields.some((f) => f.dataset.base !== undefined && f.value !== f.dataset.base)) document.getElementById("edit").open = true;
  document.getElementById("said").textContent = "草稿已恢复 Draft restored";
}

function dropOldDrafts() {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith("psygen:"))) {
    const kept = JSON.parse(localStorage.getItem(key) || "{}");
    if (Date.now() - (kept.at || 0) > KEPT_DAYS * 86400000) localStorage.removeItem(key);
  }
}

if (document.body.dataset.done) localStorage.removeItem(document.body.dataset.done);
if (main?.dataset.draft) {
  dropOldDrafts();
  if (!document.querySelector(".fault")) restoreDraft();
  main.ownerDocument.addEventListener("input", (event) => { if (event.target.form === main || main.contains(event.target)) keepDraft(); });
}

// Time on the screen, and one submission a form.

let shown = 0;
let since = document.hidden ? null : performance.now();
document.addEventListener("visibilitychange", () => {
  if (since !== null) shown += performance.now() - since;
  since = document.hidden ? null : performance.now();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "dialog") return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "1";
  if (form.elements.ms) form.elements.ms.value = Math.round(shown + (since === null ? 0 : performance.now() - since));
});
// A page that comes back from the browser's memory may be sent again.
window.addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sent; });

for (const element of document.querySelectorAll("[data-do][hidden]")) element.hidden = false;
