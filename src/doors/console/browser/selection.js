// @ts-check
/// <reference lib="dom" />
// Counts what is selected in a list, and selects the whole page or a range of it. Without scripts the boxes do the rest.

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form.selection');
/** @type {HTMLInputElement[]} */
const boxes = form ? Array.from(form.querySelectorAll('input[name="chosen"]')) : [];
if (form && boxes.length > 0) begin(form);

/** @param {HTMLFormElement} list */
function begin(list) {
  const number = list.querySelector('output');
  /** @type {HTMLInputElement | null} */
  const all = list.querySelector('input[name="all"]');
  const page = document.createElement('input');
  page.type = 'checkbox';
  page.autocomplete = 'off';
  const label = document.createElement('label');
  label.className = 'pick';
  label.title = list.dataset.page ?? '';
  const name = document.createElement('span');
  name.className = 'hidden';
  name.textContent = label.title;
  label.append(page, name);
  list.querySelector('thead th')?.prepend(label);

  const show = () => {
    const checked = boxes.filter((box) => box.checked).length;
    const isPage = checked === boxes.length;
    page.checked = isPage;
    page.indeterminate = checked > 0 && !isPage;
    if (all && !isPage) all.checked = false;
    if (all?.parentElement) all.parentElement.hidden = !isPage;
    const count = all?.checked ? (all.dataset.count ?? '') : String(checked);
    if (number) {
      number.hidden = count === '';
      number.textContent = (number.dataset.text ?? '').replace('{}', count);
    }
    for (const part of list.querySelectorAll('button span'))
      part.textContent = count === '' ? '' : ` ${count}`;
  };

  page.addEventListener('change', () => {
    for (const box of boxes) box.checked = page.checked;
    show();
  });
  let last = -1;
  for (const [place, box] of boxes.entries())
    box.addEventListener('click', ({ shiftKey }) => {
      if (shiftKey && last >= 0)
        for (const between of boxes.slice(Math.min(last, place), Math.max(last, place) + 1))
          between.checked = box.checked;
      last = place;
    });
  list.addEventListener('change', show);
  list.addEventListener('reset', () => setTimeout(show));
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof HTMLElement && event.target.matches('input:not([type="checkbox"]), select');
    if (event.key === 'Escape' && !isTyping && boxes.some((box) => box.checked)) list.reset();
  });
  // A page that is shown again by the browser may have kept what was selected.
  addEventListener('pageshow', show);
  show();
}
