import type { OperatorOperation } from '../../../operations/operator-operation.ts';
import { disableMembership } from '../../../registry/people/disable-membership.ts';
import { enableMembership } from '../../../registry/people/enable-membership.ts';
import { endMemberSessions } from '../../../registry/people/end-member-sessions.ts';
import type { MembershipChange } from '../../../registry/people/membership.ts';
import type { RegistrarPerson } from '../../../registry/people/registrar-people.ts';
import { removePerson } from '../../../registry/people/remove-person.ts';
import { resetMemberFactors } from '../../../registry/people/reset-member-factors.ts';
import { setPersonRoles } from '../../../registry/people/set-person-roles.ts';
import { CHECKED } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { defineConfirmed } from '../confirmed-form.ts';
import { asPerson } from '../form-context.ts';
import type { Facts } from '../form-definition.ts';
import { refusal } from '../form-refusals.ts';
import type { Notice } from '../notice-texts.ts';
import { type ConsoleChange, type ConsoleParts, consoleAddress, type Visit } from '../console-page.ts';
import { peopleTexts } from './people-texts.ts';
import { findPerson, personPage } from './person-page.ts';
import { chosenRoles, ROLE_FIELDS } from './roles-field.ts';

const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;

const membershipOf = (
  { email }: RegistrarPerson,
  { wallClock }: ConsoleParts,
  { session }: Visit,
): MembershipChange => ({ email, registrar: session.registrarCode, wallTime: wallClock.now() });

/** Somebody who changed its own access may not see the page of people any more. */
const pageOf = ({ id }: RegistrarPerson, { session }: Visit): string =>
  consoleAddress(id === session.personId ? '' : `/people/${id}`);

type AccessChange = {
  readonly path: string;
  readonly operation: OperatorOperation<MembershipChange, unknown>;
  readonly notice: Notice;
  readonly alreadySo: string;
  /** The last part of the path of the form that takes it back. */
  readonly undo?: string;
};

const accessChange = ({ path, operation, notice, alreadySo, undo }: AccessChange): ConsoleChange =>
  defineAtOnce({
    ...DANGEROUS,
    path: `/people/:person/${path}`,
    page: personPage,
    load: findPerson,
    read: (_form, person, parts, visit) => ({ value: membershipOf(person, parts, visit) }),
    run: asPerson(operation),
    alreadySo: [alreadySo],
    to: (person, _membership, visit) => pageOf(person, visit),
    done: notice,
    undo: ({ id }, _membership, { session }) =>
      undo !== undefined && id !== session.personId ? { path: `/people/${id}/${undo}` } : undefined,
  });

export const personChanges: readonly ConsoleChange[] = [
  accessChange({
    path: 'disable',
    operation: disableMembership,
    notice: 'personDisabled',
    alreadySo: 'membershipNotActive',
    undo: 'enable',
  }),
  accessChange({
    path: 'enable',
    operation: enableMembership,
    notice: 'personEnabled',
    alreadySo: 'membershipNotDisabled',
    undo: 'disable',
  }),
  accessChange({
    path: 'end-sessions',
    operation: endMemberSessions,
    notice: 'personSessionsEnded',
    alreadySo: 'noSessionToEnd',
  }),
  defineAtOnce({
    ...DANGEROUS,
    path: '/people/:person/roles',
    page: personPage,
    fields: ROLE_FIELDS,
    load: findPerson,
    read: (form, { email }, _parts, { session }) => {
      const roles = chosenRoles(form);
      return roles.length === 0
        ? { refusals: [refusal('noRole', { field: 'role' })] }
        : { value: { email, registrar: session.registrarCode, roles } };
    },
    run: asPerson(setPersonRoles),
    overtaken: ['membershipMissing'],
    to: (person, _roles, visit) => pageOf(person, visit),
    done: 'personRolesChanged',
    undo: ({ id, roles }, _roles, { session }) =>
      id === session.personId
        ? undefined
        : {
            path: `/people/${id}/roles`,
            fields: Object.fromEntries(roles.map((role) => [`role-${role}`, CHECKED])),
          },
  }),
];

type Consequence = { readonly title: string; readonly confirm: string; readonly happens: string };

/** A form about a person that shows what will happen, and is confirmed by the person's e-mail address. */
const confirmedByEmail = (say: (texts: ReturnType<typeof peopleTexts>, name: string) => Consequence) => ({
  texts: ({ id, name }: RegistrarPerson, { lang }: Visit) => {
    const texts = peopleTexts(lang);
    const { title, confirm } = say(texts, name);
    return { title, confirm, back: { to: consoleAddress(`/people/${id}`), text: texts.removal.back } };
  },
  consequence: ({ name, email }: RegistrarPerson, { lang }: Visit): Facts => {
    const texts = peopleTexts(lang);
    return [
      [texts.name, isolated(name)],
      [texts.email, email],
      [texts.removal.happens, say(texts, name).happens],
    ];
  },
  typed: ({ email }: RegistrarPerson) => email,
});

/** For somebody who lost the second factor. What was removed has to be set up again. */
export const factorsReset = defineConfirmed({
  ...DANGEROUS,
  path: '/people/:person/reset-factors',
  load: findPerson,
  ...confirmedByEmail(({ resetFactors, reset }, name) => ({
    title: reset.title(name),
    confirm: resetFactors,
    happens: reset.consequence,
  })),
  read: (_form, person, parts, visit) =>
    person.id === visit.session.personId
      ? { refusals: [refusal('ownFactors')] }
      : { value: { ...membershipOf(person, parts, visit), by: visit.session.name } },
  run: asPerson(resetMemberFactors),
  done: (_stored, _reset, { id }) => ({ to: consoleAddress(`/people/${id}`), notice: 'factorsReset' }),
});

/** The person can come back by an invitation only. */
export const personRemoval = defineConfirmed({
  ...DANGEROUS,
  path: '/people/:person/remove',
  load: findPerson,
  ...confirmedByEmail(({ remove, removal, removeLead }, name) => ({
    title: removal.title(name),
    confirm: remove,
    happens: removeLead,
  })),
  read: (_form, person, parts, visit) => ({ value: membershipOf(person, parts, visit) }),
  run: asPerson(removePerson),
  done: (_stored, _membership, { id }, { session }) => ({
    to: consoleAddress(id === session.personId ? '' : '/people'),
    notice: 'personRemoved',
  }),
});
