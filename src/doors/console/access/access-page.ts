import type { AddressPurpose } from '../../../registry/registrars/address-list.ts';
import {
  type AllowedAddresses,
  listAllowedAddresses,
} from '../../../registry/registrars/list-allowed-addresses.ts';
import { listRegistrarUsers, type RegistrarUser } from '../../../registry/users/registrar-users.ts';
import { type Field, field } from '../../html/form.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import {
  type ConsoleParts,
  consoleAddress,
  definePage,
  type RefusedForm,
  type View,
  type Visit,
} from '../console-page.ts';
import { accessTexts } from './access-texts.ts';
import { userRolesField } from './user-roles.ts';

type Access = {
  readonly users: readonly RegistrarUser[];
  readonly addresses: Readonly<Record<AddressPurpose, readonly AllowedAddresses[]>>;
};

/** API users of the registrar, and from where they and its people may come. */
export const accessPage = definePage({
  path: '/access',
  right: 'access',
  menu: 'access',
  load: loadAccess,
  view: accessView,
});

async function loadAccess(
  { database: { reads } }: ConsoleParts,
  { session: { registrarId, registrarCode }, now }: Visit,
): Promise<Access> {
  return {
    users: await listRegistrarUsers(reads, registrarId, now),
    addresses: {
      api: await listAllowedAddresses(reads, registrarCode, 'api'),
      console: await listAllowedAddresses(reads, registrarCode, 'console'),
    },
  };
}

function accessView(
  { users, addresses }: Access,
  visit: Visit,
  parts: ConsoleParts,
  refused: RefusedForm,
): View {
  const texts = accessTexts(visit.lang);
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1>
<h2>${texts.users}</h2>
<p>${texts.usersLead}</p>
${users.length === 0 ? html`<p>${texts.noUsers}</p>\n` : usersTable(users, visit, parts)}<h3>${texts.create}</h3>
${userForm(visit, refused)}${(['api', 'console'] as const).map((purpose) =>
  addressSection(purpose, addresses[purpose], { visit, parts, refused }),
)}`,
  };
}

function usersTable(users: readonly RegistrarUser[], { lang }: Visit, { policy }: ConsoleParts): Html {
  const texts = accessTexts(lang);
  const columns = [texts.username, texts.roles, texts.status, texts.lastLogin, texts.password];
  const rows = users.map(({ username, roles, status, lastLogin }) => [
    html`<a href="${consoleAddress(`/access/users/${encodeURIComponent(username)}`)}">${username}</a>`,
    roles.join(', '),
    texts.statuses[status],
    lastLogin ? momentIn(lang, lastLogin, policy) : texts.never,
    // The old one works for another day: a click by mistake ends nothing.
    status === 'active' &&
      html`<form method="post" action="${consoleAddress(`/access/users/${encodeURIComponent(username)}/password`)}"><input type="hidden" name="old" value="day"><button class="plain">${texts.newPassword}<span class="hidden"> ${username}</span></button></form>`,
  ]);
  return table({ label: texts.users, columns: columns.map((title) => ({ title })) }, rows);
}

function userForm({ lang }: Visit, refused: RefusedForm): Html {
  const texts = accessTexts(lang);
  const name: Field = {
    name: 'username',
    label: texts.username,
    hint: texts.usernameHint,
    value: refused.value('username'),
    fault: refused.fault('username'),
    maxLength: 64,
    autocomplete: 'off',
  };
  return html`<form method="post" action="${consoleAddress('/access/users')}">
${field(name)}${userRolesField(lang, ['epp'], refused)}<p><button>${texts.createButton}</button></p>
</form>
`;
}

type Shown = { readonly visit: Visit; readonly parts: ConsoleParts; readonly refused: RefusedForm };

function addressSection(
  purpose: AddressPurpose,
  listed: readonly AllowedAddresses[],
  { visit: { lang, client }, parts: { policy }, refused }: Shown,
): Html {
  const texts = accessTexts(lang);
  const { heading, lead } = texts.addresses[purpose];
  const columns = [texts.range, texts.note, texts.since, texts.remove];
  const rows = listed.map(({ range, note, since }) => [
    html`<code>${range}</code>`,
    note,
    momentIn(lang, since, policy),
    html`<form method="post" action="${consoleAddress('/access/addresses/remove')}"><input type="hidden" name="purpose" value="${purpose}"><button class="plain" name="range" value="${range}">${texts.remove}<span class="hidden"> ${range}</span></button></form>`,
  ]);
  return html`<h2>${heading}</h2>
<p>${lead} ${purpose === 'console' && texts.yourAddress(client.address)}</p>
${listed.length === 0 ? html`<p>${texts.anyAddress}</p>\n` : table({ label: heading, columns: columns.map((title) => ({ title })) }, rows)}${rangeForm(purpose, lang, refused)}`;
}

function rangeForm(purpose: AddressPurpose, lang: Visit['lang'], refused: RefusedForm): Html {
  const texts = accessTexts(lang);
  const name = `${purpose}-range`;
  const range: Field = {
    name,
    label: texts.range,
    hint: texts.rangeHint,
    value: refused.value(name),
    fault: refused.fault(name),
    maxLength: 60,
    autocomplete: 'off',
  };
  const note = refused.value(`${purpose}-note`);
  return html`<form method="post" action="${consoleAddress('/access/addresses')}"><input type="hidden" name="purpose" value="${purpose}">
${field(range)}<div class="field"><label for="${purpose}-note">${texts.note}</label>
<input type="text" id="${purpose}-note" name="${purpose}-note" maxlength="100" value="${note}" autocomplete="off"></div>
<p><button>${texts.add}</button></p>
</form>
`;
}
