// @ts-check
/// <reference lib="dom" />
// Asks before a form is sent whether its sender is still logged in. If not, the pages of the login are shown in a dialog
// over the form, which is sent after it. Without scripts the server stores the form until the login.

const CHECK_TIMEOUT_MS = 5_000;
const LOGIN_TIMEOUT_MS = 20_000;

const dialog = document.getElementById('login-dialog');
const place = dialog?.querySelector('div');
/** Forms that are being asked about, and those that may be sent. */
const pending = new WeakSet();
const admitted = new WeakSet();
/** What is sent after the login. @type {(() => void) | undefined} */
let resume;
/** What is sent without it, to wait for a login in another way. @type {(() => void) | undefined} */
let sendAnyway;
/** Whether a step of the login waits for its answer. */
let isBusy = false;

/** @typedef {{ status: number, url: URL, page: Document | null }} Answer */

if (dialog instanceof HTMLDialogElement && place) {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || !form.closest('main')) return;
    if (form.getAttribute('method') !== 'post' || admitted.delete(form)) return;
    event.preventDefault();
    if (pending.has(form)) return;
    pending.add(form);
    void check(form, event.submitter).finally(() => pending.delete(form));
  });
  dialog.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method === 'dialog') return;
    event.preventDefault();
    void proceed(() => ask('POST', form.action, fieldsOf(form, event.submitter)));
  });
  dialog.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    if (link.pathname === dialog.dataset.login) void proceed(() => ask('GET', link.href));
    else {
      // Another site, or a mail: the server stores the form until then.
      dialog.close();
      sendAnyway?.();
    }
  });
  dialog.addEventListener('close', () => place.replaceChildren());
}

/** After a login nothing is sent before it is known whose it was. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function check(form, submitter, isAfterLogin = false) {
  const send = () => {
    admitted.add(form);
    form.requestSubmit(submitter);
    // Where its fields were refused by the browser, nothing was sent.
    admitted.delete(form);
  };
  const action = form.getAttribute('action') ?? '';
  let answer;
  try {
    answer = await ask('POST', action, undefined, { 'x-login-check': dialog?.dataset.owner ?? '' });
  } catch {
    // Nobody answers: the browser says so when the form is sent.
    return isAfterLogin ? undefined : send();
  }
  const { status, url, page } = answer;
  if (status === 409) return location.assign(dialog?.dataset.other ?? '/');
  if (url.pathname !== dialog?.dataset.login || !page)
    return status === 204 || !isAfterLogin ? send() : undefined;
  resume = () => void check(form, submitter, true);
  sendAnyway = send;
  show(page);
}

/** @param {() => Promise<Answer>} step */
async function proceed(step) {
  if (isBusy) return;
  isBusy = true;
  try {
    const { url, page } = await step();
    if (page && url.pathname.startsWith(dialog?.dataset.login ?? '')) return show(page);
    if (dialog instanceof HTMLDialogElement) dialog.close();
    resume?.();
  } catch {
    // Nobody answers: the dialog stays.
  } finally {
    isBusy = false;
  }
}

/** @param {Document} page */
function show(page) {
  if (!(dialog instanceof HTMLDialogElement) || !place) return;
  const parts = Array.from(page.querySelectorAll('main > *:not(h1, .lead)'));
  place.replaceChildren(...parts.map((part) => document.importNode(part, true)));
  // The form below has fields of the same names.
  for (const part of place.querySelectorAll('[id]')) part.id = `login-${part.id}`;
  for (const label of place.querySelectorAll('label')) label.htmlFor = `login-${label.htmlFor}`;
  for (const field of place.querySelectorAll('[aria-describedby]'))
    field.setAttribute(
      'aria-describedby',
      (field.getAttribute('aria-describedby') ?? '').replaceAll(/\S+/g, 'login-$&'),
    );
  for (const link of place.querySelectorAll('a[href^="#"]'))
    link.setAttribute('href', `#login-${link.getAttribute('href')?.slice(1)}`);
  const email = place.querySelector('input[name="email"]');
  if (email instanceof HTMLInputElement && email.value === '') email.value = dialog.dataset.email ?? '';
  if (!dialog.open) dialog.showModal();
  const empty = Array.from(place.querySelectorAll('input:not([type="hidden"])')).find(
    (field) => field instanceof HTMLInputElement && field.value === '',
  );
  if (empty instanceof HTMLInputElement) empty.focus();
  void beginPasskeys(place);
}

/** @param {HTMLElement} content */
async function beginPasskeys(content) {
  if (!content.querySelector('[data-passkeys], [data-options]')) return;
  const { begin } = await import(dialog?.dataset.passkeys ?? '');
  begin(content, (/** @type {HTMLFormElement} */ form) => {
    void proceed(() => ask('POST', form.action, fieldsOf(form, null)));
  });
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function fieldsOf(form, submitter) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) fields.append(name, String(value));
  return fields;
}

/** Documents of other origins are never asked for: the content policy forbids it. @param {string} method @param {string} url @param {URLSearchParams} [body] @param {Record<string, string>} [headers] @returns {Promise<Answer>} */
function ask(method, url, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'document';
    // An answer without a body is no document either.
    request.overrideMimeType('text/html');
    request.timeout = 'x-login-check' in headers ? CHECK_TIMEOUT_MS : LOGIN_TIMEOUT_MS;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.onload = () =>
      resolve({ status: request.status, url: new URL(request.responseURL), page: request.response });
    request.onerror = reject;
    request.ontimeout = reject;
    request.send(body);
  });
}
