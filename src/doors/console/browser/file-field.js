// @ts-check
/// <reference lib="dom" />
// Reads a chosen file into the text field beside it. Without scripts the text is pasted instead.

/** What the console takes as a form. */
const MAX_BYTES = 600_000;

/** @type {NodeListOf<HTMLElement>} */
const offers = document.querySelectorAll('[data-file-for]');
for (const offer of offers) {
  const chooser = offer.querySelector('input');
  const field = document.getElementById(offer.dataset.fileFor ?? '');
  if (!chooser || !(field instanceof HTMLTextAreaElement)) continue;
  offer.hidden = false;
  chooser.addEventListener('change', async () => {
    const [file] = chooser.files ?? [];
    if (!file) return;
    const isTooLarge = file.size > MAX_BYTES;
    chooser.setCustomValidity(isTooLarge ? (offer.dataset.tooLarge ?? '') : '');
    if (isTooLarge) chooser.reportValidity();
    else field.value = await file.text();
  });
}
