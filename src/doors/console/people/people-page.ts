import type { PersonRole } from '../../../registry/people/person.ts';
import {
  listOpenInvitations,
  listRegistrarPeople,
  type OpenInvitationOfRegistrar,
  type RegistrarPerson,
} from '../../../registry/people/registrar-people.ts';
import { selectField } from '../../html/choices.ts';
import { type Field, field } from '../../html/form.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { frameTexts } from '../frame-texts.ts';
import {
  type ConsoleParts,
  consoleAddress,
  definePage,
  type RefusedForm,
  type View,
  type Visit,
} from '../console-page.ts';
import { peopleTexts } from './people-texts.ts';
import { rolesField } from './roles-field.ts';

/** Those who work for the registrar, and those who are invited to. */
export const peoplePage = definePage({
  path: '/people',
  right: 'access',
  menu: 'people',
  load: loadPeople,
  view: peopleView,
});

type People = {
  readonly people: readonly RegistrarPerson[];
  readonly invitations: readonly OpenInvitationOfRegistrar[];
};

async function loadPeople(
  { database, wallClock }: ConsoleParts,
  { session: { registrarId } }: Visit,
): Promise<People> {
  const now = wallClock.now();
  return {
    people: await listRegistrarPeople(database.reads, registrarId, now),
    invitations: await listOpenInvitations(database.reads, registrarId, now),
  };
}

function peopleView(
  { people, invitations }: People,
  visit: Visit,
  parts: ConsoleParts,
  refused: RefusedForm,
): View {
  const texts = peopleTexts(visit.lang);
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${peopleTable(people, visit, parts)}<h2>${texts.invitations}</h2>
${invitations.length === 0 ? html`<p>${texts.noInvitations}</p>\n` : invitationsTable(invitations, visit, parts)}<h2>${texts.invite}</h2>
${invitationForm(visit.lang, refused)}`,
  };
}

const rolesIn = (lang: Language, roles: readonly PersonRole[]): string =>
  roles.map((role) => frameTexts(lang).roles[role]).join(', ');

function peopleTable(people: readonly RegistrarPerson[], visit: Visit, { policy }: ConsoleParts): Html {
  const { lang, session } = visit;
  const texts = peopleTexts(lang);
  const columns = [texts.name, texts.email, texts.roles, texts.status, texts.lastLogin, texts.secondFactor];
  const rows = people.map(({ id, name, email, roles, status, lastLogin, hasSecondFactor }) => [
    html`<a href="${consoleAddress(`/people/${id}`)}">${isolated(name)}</a>${id === session.personId && ` (${texts.you})`}`,
    email,
    rolesIn(lang, roles),
    texts.statuses[status],
    lastLogin ? momentIn(lang, lastLogin, policy) : texts.never,
    hasSecondFactor ? texts.yes : texts.no,
  ]);
  return table({ label: texts.title, columns: columns.map((title) => ({ title })) }, rows);
}

function invitationsTable(
  invitations: readonly OpenInvitationOfRegistrar[],
  { lang }: Visit,
  { policy }: ConsoleParts,
): Html {
  const texts = peopleTexts(lang);
  const columns = [texts.email, texts.name, texts.roles, texts.invitedBy, texts.validUntil, texts.withdraw];
  const rows = invitations.map(({ email, name, roles, invitedBy, expiresAt }) => [
    email,
    isolated(name),
    rolesIn(lang, roles),
    inviterOf(invitedBy),
    momentIn(lang, expiresAt, policy),
    html`<form method="post" action="${consoleAddress('/people/withdraw')}"><button class="plain" name="email" value="${email}">${texts.withdraw}<span class="hidden"> ${texts.withdrawNamed(email)}</span></button></form>`,
  ]);
  return table({ label: texts.invitations, columns: columns.map((title) => ({ title })) }, rows);
}

/** An operator's account name is the registry's own affair. */
const inviterOf = (actor: string): string => (actor.startsWith('person:') ? actor.slice(7) : '—');

function invitationForm(lang: Language, refused: RefusedForm): Html {
  const texts = peopleTexts(lang);
  const text = (name: 'email' | 'name') => ({
    name,
    label: texts[name],
    value: refused.value(name),
    fault: refused.fault(name),
    autocomplete: 'off',
  });
  const fields: Field[] = [
    { ...text('email'), type: 'email', maxLength: 254 },
    { ...text('name'), maxLength: 100 },
  ];
  const language = refused.value('language', lang);
  const languages = (['et', 'en'] as const).map((known) => [known, texts.languages[known]] as const);
  return html`<p>${texts.inviteLead}</p>
<form method="post" action="${consoleAddress('/people/invite')}">
${fields.map(field)}${selectField({ name: 'language', label: texts.language, value: language, choices: languages })}${rolesField(lang, [], refused)}<p><button>${texts.inviteButton}</button></p>
</form>
`;
}
