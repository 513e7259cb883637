// @ts-check
/// <reference lib="dom" />
// Copies the value beside a button. Where the page may not write to the clipboard, there are no such buttons.

const SHOWN_MS = 2_000;

const said = document.createElement('p');
said.className = 'hidden';
said.setAttribute('role', 'status');

if (navigator.clipboard) {
  document.querySelector('main')?.append(said);
  for (const button of document.querySelectorAll('button[data-copy]'))
    if (button instanceof HTMLButtonElement) {
      button.hidden = false;
      button.addEventListener('click', () => void copy(button));
    }
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const { copy: value = '', done = '', failed = '' } = button.dataset;
  let outcome = done;
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    outcome = failed;
  }
  said.textContent = outcome;
  button.dataset.outcome = outcome;
  setTimeout(() => {
    delete button.dataset.outcome;
    said.textContent = '';
  }, SHOWN_MS);
}
