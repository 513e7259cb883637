// @ts-check
/// <reference lib="dom" />
// Offers contacts while one is looked for by name, code, identification code or email address. Without scripts a search
// in the form does.

const WAIT_MS = 250;
const MIN_TEXT = 2;

/** @typedef {{ text: string, about: string, choose: () => void }} Choice */
/** @typedef {{ code: string, name: string, about: string }} Contact */

/** @type {HTMLElement | null} */
const texts = document.querySelector('[data-contact-picker]');
const registrant = document.getElementById('registrant');
const section = document.getElementById('contact-name')?.closest('details');

if (texts) {
  const search = document.getElementById('find-contact')?.closest('.search');
  if (search instanceof HTMLElement && !search.parentElement?.querySelector('.ways')) search.hidden = true;
  for (const id of (texts.dataset.fields ?? '').split(' ')) {
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement) {
      const said = saying(field);
      field.placeholder = texts.dataset.label ?? '';
      offer(field, field, ({ code, name }) => {
        field.value = code;
        // The new contact is not to be it, too.
        const box = document.getElementById('contact-as-registrant');
        if (box instanceof HTMLInputElement) box.checked = false;
        said.textContent = `${name} (${code})`;
      });
    } else if (field instanceof HTMLTextAreaElement) beginList(field, texts);
  }
}

/** Codes are added to the lines of a field. @param {HTMLTextAreaElement} field @param {HTMLElement} given */
function beginList(field, given) {
  const input = document.createElement('input');
  input.type = 'text';
  input.className = 'adds';
  input.placeholder = given.dataset.label ?? '';
  input.setAttribute('aria-label', `${field.labels?.[0]?.textContent ?? ''}: ${given.dataset.label ?? ''}`);
  field.before(input);
  const said = saying(field);
  offer(input, field, ({ code, name }) => {
    const codes = field.value.split(/[\s,;]+/).filter((each) => each !== '');
    if (!codes.includes(code)) field.value = [...codes, code].join('\n');
    input.value = '';
    said.textContent = `${name} (${code})`;
  });
}

/** The line that names what was chosen. @param {HTMLElement} field */
function saying(field) {
  const line = document.createElement('p');
  line.className = 'chosen';
  line.setAttribute('role', 'status');
  field.after(line);
  return line;
}

/** @param {HTMLInputElement} input @param {HTMLElement} field @param {(contact: Contact) => void} choose */
function offer(input, field, choose) {
  const list = document.createElement('ul');
  list.id = `${field.id}-offers`;
  list.className = 'offers';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute(
    'aria-label',
    field instanceof HTMLTextAreaElement ? (input.ariaLabel ?? '') : (input.labels?.[0]?.textContent ?? ''),
  );
  const place = document.createElement('div');
  place.className = 'picker';
  input.before(place);
  place.append(input, list);
  input.autocomplete = 'off';
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');

  /** @type {Choice[]} */
  let choices = [];
  let active = -1;
  let timer = 0;
  let asked = new AbortController();

  const close = () => {
    clearTimeout(timer);
    asked.abort();
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  /** @param {number} index */
  const activate = (index) => {
    active = index;
    for (const [nth, item] of Array.from(list.children).entries())
      item.setAttribute('aria-selected', String(nth === index));
    const item = list.children[index];
    if (item) {
      input.setAttribute('aria-activedescendant', item.id);
      item.scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  };
  /** @param {number} index */
  const take = (index) => {
    close();
    choices[index]?.choose();
  };
  /** @param {Contact[]} found @param {string} text */
  const show = (found, text) => {
    choices = [
      ...found.map((contact) => ({
        text: contact.name,
        about: contact.about,
        choose: () => {
          choose(contact);
          changed(field);
        },
      })),
      ...further(field, text, choose),
    ];
    list.replaceChildren(
      ...choices.map((choice, index) => {
        const item = document.createElement('li');
        item.id = `${list.id}-${index}`;
        item.setAttribute('role', 'option');
        const about = document.createElement('small');
        about.textContent = choice.about;
        item.append(choice.text, about);
        item.addEventListener('pointerdown', (event) => event.preventDefault());
        item.addEventListener('click', () => take(index));
        return item;
      }),
    );
    activate(found.length > 0 ? 0 : -1);
    list.hidden = choices.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };
  const ask = async () => {
    asked = new AbortController();
    const text = input.value.trim();
    try {
      const query = new URLSearchParams({ q: text });
      const answer = await fetch(`${texts?.dataset.contactPicker}?${query}`, { signal: asked.signal });
      if (answer.ok && !answer.redirected) show(await answer.json(), text);
    } catch {
      // Another key was pressed, or nobody answers: the code can still be typed.
    }
  };
  input.addEventListener('input', () => {
    close();
    if (input.value.trim().length >= MIN_TEXT) timer = window.setTimeout(ask, WAIT_MS);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const isOpen = !list.hidden;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && (isOpen || input !== field)) {
      event.preventDefault();
      if (isOpen && active >= 0) take(active);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      event.preventDefault();
      close();
    } else if (step && isOpen) {
      event.preventDefault();
      activate((active + step + choices.length) % choices.length);
    } else if (event.key === 'ArrowDown' && !isOpen) void ask();
  });
}

/** What is offered besides contacts: the registrant again, and a new contact. @param {HTMLElement} field @param {string} text @param {(contact: Contact) => void} choose @returns {Choice[]} */
function further(field, text, choose) {
  /** @type {Choice[]} */
  const choices = [];
  const code = registrant instanceof HTMLInputElement ? registrant.value.trim() : '';
  const same = texts?.dataset.same ?? '';
  if (field !== registrant && code !== '')
    choices.push({
      text: same,
      about: code,
      choose: () => {
        choose({ code, name: same, about: '' });
        changed(field);
      },
    });
  if (section && text !== '')
    choices.push({
      text: (texts?.dataset.create ?? '').replace('{}', text),
      about: '',
      choose: () => create(field, text),
    });
  return choices;
}

/** Opens the section of the new contact for a field. @param {HTMLElement} field @param {string} text */
function create(field, text) {
  const name = document.getElementById('contact-name');
  if (!section || !(name instanceof HTMLInputElement)) return;
  section.open = true;
  name.value = text;
  for (const [id, role] of [
    ['registrant', 'registrant'],
    ['admins', 'admin'],
    ['techs', 'tech'],
  ]) {
    const box = document.getElementById(`contact-as-${role}`);
    if (box instanceof HTMLInputElement && (id === field.id || id === 'registrant')) {
      const isFree = registrant instanceof HTMLInputElement && registrant.value.trim() === '';
      box.checked = id === field.id || (box.checked && isFree);
    }
  }
  if (field instanceof HTMLInputElement) field.value = '';
  for (const input of document.querySelectorAll('input.adds'))
    if (input instanceof HTMLInputElement) input.value = '';
  name.focus();
}

/** Others listen to what is typed. @param {HTMLElement} field */
function changed(field) {
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
