// @ts-check
/// <reference lib="dom" />
// Asks the browser for a passkey and sends what it says by the form on the page. No other part of the console needs scripts.

const isSupported =
  'PublicKeyCredential' in window &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** @type {NodeListOf<HTMLElement>} */
const offers = document.querySelectorAll('[data-passkeys]');
for (const offer of offers) offer.hidden = !isSupported;

/** @param {string} kind @param {string} text @returns {Promise<Credential | null>} */
function ask(kind, text) {
  const options = JSON.parse(text);
  return kind === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

/** @param {HTMLFormElement} form */
async function run(form) {
  /** @type {HTMLElement | null} */
  const failure = document.querySelector('[data-passkey-failed]');
  const response = form.elements.namedItem('response');
  if (failure) failure.hidden = true;
  try {
    const credential = await ask(form.dataset.passkey ?? '', form.dataset.options ?? '');
    if (!(credential instanceof PublicKeyCredential) || !(response instanceof HTMLInputElement)) return;
    response.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    // Cancelled, timed out, or no passkey fits: the button asks again.
    if (failure) failure.hidden = false;
  }
}

const asking = document.querySelector('form[data-options]');
if (isSupported && asking instanceof HTMLFormElement) {
  asking.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(asking);
  });
  void run(asking);
}
