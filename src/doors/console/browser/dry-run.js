// @ts-check
/// <reference lib="dom" />
// Shows the preview of a form beside it while it is filled in, as the server makes it. Where there is none, or nobody
// answers, nothing is shown: the form says why when it is sent.

const WAIT_MS = 300;
/** Beyond it the form is sent by its button only. */
const MAX_LENGTH = 16_000;

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-dry-run]');
/** @type {HTMLElement | null} */
const place = document.querySelector('aside.dry-run');
const content = place?.querySelector('div');
/** @type {XMLHttpRequest | undefined} */
let asked;
let timer = 0;

if (form && place && content) {
  for (const event of ['input', 'change'])
    form.addEventListener(event, () => {
      clearTimeout(timer);
      asked?.abort();
      place.ariaBusy = 'true';
      timer = window.setTimeout(() => ask(form), WAIT_MS);
    });
  form.addEventListener('submit', () => {
    clearTimeout(timer);
    asked?.abort();
  });
  ask(form);
}

/** @param {HTMLFormElement} filled */
function ask(filled) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(filled)) fields.append(name, String(value));
  const unless = (filled.dataset.dryRun ?? '').split(' ');
  const isSuspended = unless.some((name) => (fields.get(name) ?? '').trim() !== '');
  if (isSuspended || !filled.checkValidity() || fields.toString().length > MAX_LENGTH) return show(null);
  fields.set('step', 'preview');
  const request = new XMLHttpRequest();
  asked = request;
  request.open('POST', filled.getAttribute('action') ?? '');
  request.responseType = 'document';
  request.overrideMimeType('text/html');
  request.setRequestHeader('x-dry-run', '1');
  request.onload = () => {
    const isPreview =
      request.status === 200 &&
      request.responseURL === new URL(filled.getAttribute('action') ?? '', location.href).href;
    show(isPreview ? request.response?.querySelector('main dl.asked') : null);
  };
  request.onerror = () => show(null);
  request.send(fields);
}

/** @param {Element | null} facts */
function show(facts) {
  if (!place || !content) return;
  place.ariaBusy = 'false';
  place.hidden = !facts;
  content.replaceChildren(...(facts ? [document.importNode(facts, true)] : []));
}
