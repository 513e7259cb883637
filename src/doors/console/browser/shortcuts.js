// @ts-check
/// <reference lib="dom" />
// Keys without a modifier: they move through lists, press what has them in data-keys, and can be switched off.

const OFF = 'shortcuts-off';
/** What opens a line of a list. */
const LINES = '.list tbody td:first-child a, .worklist li > div a, .inbox a.item';
const isOff = () => localStorage.getItem(OFF) !== null;
const help = document.querySelector('#shortcuts');
const use = help?.querySelector('input');
if (use) {
  use.checked = !isOff();
  use.addEventListener('change', () =>
    use.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, 'yes'),
  );
}
/** @type {NodeListOf<HTMLElement>} */
const openers = document.querySelectorAll('[popovertarget="shortcuts"]');
for (const button of openers) button.hidden = false;

/** Whether `g` was the last key, which begins the keys of other pages. */
let isAfterG = false;

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isOff() || isTyping(target))
    return;
  const isGoing = isAfterG;
  isAfterG = key === 'g' && !isGoing;
  if (isGoing) return press(`g ${key}`);
  if (key === '?' && help instanceof HTMLElement) help.showPopover();
  else if (key === '/') focusFilter(event);
  else if (key === 'j') move(1);
  else if (key === 'k') move(-1);
  else if (key === 'x') select();
  else if (key === 's') snooze();
  else press(key);
});

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea')
  );
}

/** @param {string} keys */
function press(keys) {
  /** @type {HTMLElement | null} */
  const pressed = document.querySelector(`[data-keys="${CSS.escape(keys)}"]`);
  pressed?.focus();
  pressed?.click();
}

/** @param {number} step */
function move(step) {
  /** @type {HTMLElement[]} */
  const all = Array.from(document.querySelectorAll(LINES));
  const lines = all.filter((line) => line.checkVisibility());
  const focused = lines.findIndex((line) => line.closest('tr, li')?.contains(document.activeElement));
  const open = lines.findIndex((line) => line.getAttribute('aria-current') === 'true');
  const here = focused >= 0 ? focused : open;
  lines[here < 0 ? 0 : here + step]?.focus();
}

function select() {
  /** @type {HTMLElement | null | undefined} */
  const box = document.activeElement?.closest('tr')?.querySelector('.pick input');
  box?.click();
}

function snooze() {
  /** @type {HTMLElement | null | undefined} */
  const opener = document.activeElement?.closest('.worklist li')?.querySelector('.snooze summary');
  opener?.focus();
  opener?.click();
}

/** @param {KeyboardEvent} event */
function focusFilter(event) {
  /** @type {HTMLElement | null} */
  const field =
    document.querySelector('.filters :is(input, select)') ?? document.querySelector('.find input');
  event.preventDefault();
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}
