// @ts-check
/// <reference lib="dom" />
// Says while a name is typed whether it can be registered. The server decides when the form is sent.

const WAIT_MS = 300;

/** @type {HTMLElement | null} */
const said = document.querySelector('[data-availability]');
const name = document.getElementById('name');
const years = document.getElementById('years');
let timer = 0;
let asked = new AbortController();

if (said && name instanceof HTMLInputElement) {
  name.after(said);
  said.hidden = false;
  for (const field of [name, years]) field?.addEventListener('input', () => later(said, name));
  if (name.value.trim() !== '') later(said, name);
}

/** @param {HTMLElement} line @param {HTMLInputElement} field */
function later(line, field) {
  clearTimeout(timer);
  asked.abort();
  timer = window.setTimeout(() => check(line, field), WAIT_MS);
}

/** @param {HTMLElement} line @param {HTMLInputElement} field */
async function check(line, field) {
  asked = new AbortController();
  const text = field.value.trim();
  if (!text.includes('.')) return show(line, '', undefined);
  const query = new URLSearchParams({ name: text });
  if (years instanceof HTMLSelectElement) query.set('years', years.value);
  try {
    const answer = await fetch(`${line.dataset.availability}?${query}`, { signal: asked.signal });
    if (!answer.ok || answer.redirected) return;
    const found = await answer.json();
    show(line, found.text, found.available);
  } catch {
    // Another key was pressed, or nobody answers: the form says it when it is sent.
  }
}

/** @param {HTMLElement} line @param {string} text @param {boolean | undefined} isAvailable */
function show(line, text, isAvailable) {
  line.textContent = text;
  line.dataset.available = String(isAvailable ?? '');
}
