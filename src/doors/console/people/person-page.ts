import { findRegistrarPerson, type RegistrarPerson } from '../../../registry/people/registrar-people.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import {
  type ConsoleParts,
  consoleAddress,
  definePage,
  type PageInput,
  type RefusedForm,
  type View,
  type Visit,
} from '../console-page.ts';
import { peopleTexts } from './people-texts.ts';
import { rolesField } from './roles-field.ts';

const PERSON_ID = /^[1-9]\d{0,14}$/;

/** One person of the registrar: roles and access. */
export const personPage = definePage({
  path: '/people/:person',
  right: 'access',
  load: findPerson,
  view: personView,
});

/** Undefined for somebody who does not work for the registrar. */
export async function findPerson(
  { database, wallClock }: ConsoleParts,
  { session }: Visit,
  { params: { person = '' } }: PageInput,
): Promise<RegistrarPerson | undefined> {
  if (!PERSON_ID.test(person)) return undefined;
  return findRegistrarPerson(database.reads, session.registrarId, Number(person), wallClock.now());
}

function personView(
  person: RegistrarPerson,
  { lang, session }: Visit,
  { policy }: ConsoleParts,
  refused: RefusedForm,
): View {
  const texts = peopleTexts(lang);
  const { name, email, roles, status, lastLogin, hasSecondFactor } = person;
  return {
    title: name,
    body: html`<h1>${isolated(name)}</h1>
<dl class="facts"><div><dt>${texts.email}</dt><dd>${email}</dd></div>
<div><dt>${texts.status}</dt><dd>${texts.statuses[status]}</dd></div>
<div><dt>${texts.lastLogin}</dt><dd>${lastLogin ? momentIn(lang, lastLogin, policy) : texts.never}</dd></div>
<div><dt>${texts.secondFactor}</dt><dd>${hasSecondFactor ? texts.yes : texts.no}</dd></div></dl>
<form method="post" action="${addressOf(person, 'roles')}">
${rolesField(lang, roles, refused)}<p><button>${texts.saveRoles}</button></p>
</form>
<h2>${texts.access}</h2>
${accessForms(person, lang, person.id === session.personId)}<p><a href="${consoleAddress('/people')}">${texts.back}</a></p>
`,
  };
}

const addressOf = ({ id }: RegistrarPerson, change: string) => consoleAddress(`/people/${id}/${change}`);

function accessForms(person: RegistrarPerson, lang: Language, isOwn: boolean): Html {
  const texts = peopleTexts(lang);
  const form = (change: string, button: string) =>
    html`<form method="post" action="${addressOf(person, change)}"><p><button>${button}</button></p></form>\n`;
  return html`<p>${texts.openSessions(person.openSessions)}</p>
${person.openSessions > 0 && form('end-sessions', texts.endSessions)}${
  person.status === 'active'
    ? html`<p>${texts.disableLead}</p>\n${form('disable', texts.disable)}`
    : person.status === 'disabled' && form('enable', texts.enable)
}${
  person.hasSecondFactor &&
  !isOwn &&
  html`<p>${texts.resetLead}</p>\n<p><a href="${addressOf(person, 'reset-factors')}">${texts.resetFactors}</a></p>\n`
}<p>${texts.removeLead}</p>
<p><a href="${addressOf(person, 'remove')}">${texts.remove}</a></p>
`;
}
