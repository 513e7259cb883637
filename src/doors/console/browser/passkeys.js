// @ts-check
/// <reference lib="dom" />
// Asks the browser for a passkey and sends what it says by the form on the page. No other part of the console needs scripts.

const isSupported =
  'PublicKeyCredential' in window &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Shows what only a browser with passkeys can use, and asks for one where a form does. @param {ParentNode} page @param {(form: HTMLFormElement) => void} send */
export function begin(page, send) {
  for (const offer of page.querySelectorAll('form[data-passkeys]'))
    if (offer instanceof HTMLElement) offer.hidden = !isSupported;
  const asking = page.querySelector('form[data-options]');
  if (!isSupported || !(asking instanceof HTMLFormElement)) return;
  asking.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopPropagation();
    void run(asking, send);
  });
  void run(asking, send);
}

/** @param {string} kind @param {string} text @returns {Promise<Credential | null>} */
function ask(kind, text) {
  const options = JSON.parse(text);
  return kind === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

/** @param {HTMLFormElement} form @param {(form: HTMLFormElement) => void} send */
async function run(form, send) {
  /** @type {HTMLElement | null} */
  const failure = document.querySelector('[data-passkey-failed]');
  const response = form.elements.namedItem('response');
  if (failure) failure.hidden = true;
  try {
    const credential = await ask(form.dataset.passkey ?? '', form.dataset.options ?? '');
    if (!(credential instanceof PublicKeyCredential) || !(response instanceof HTMLInputElement)) return;
    response.value = JSON.stringify(credential.toJSON());
    send(form);
  } catch {
    // Cancelled, timed out, or no passkey fits: the button asks again.
    if (failure) failure.hidden = false;
  }
}

begin(document, (form) => form.submit());
