import type { OperatorOperation } from '../../../operations/operator-operation.ts';
import { disableMembership } from '../../../registry/people/disable-membership.ts';
import { enableMembership } from '../../../registry/people/enable-membership.ts';
import { endMemberSessions } from '../../../registry/people/end-member-sessions.ts';
import { invitePerson } from '../../../registry/people/invite-person.ts';
import type { MembershipChange } from '../../../registry/people/membership.ts';
import { parsePersonEmail } from '../../../registry/people/person-email.ts';
import { parsePersonName } from '../../../registry/people/person-name.ts';
import { removePerson } from '../../../registry/people/remove-person.ts';
import { setPersonRoles } from '../../../registry/people/set-person-roles.ts';
import { withdrawInvitation } from '../../../registry/people/withdraw-invitation.ts';
import { carryOutFor } from '../account/person-change.ts';
import type { Notice } from '../notice-texts.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type Visit,
} from '../page.ts';
import { type Invited, loadPeople, peopleView } from './people-page.ts';
import { peopleTexts } from './people-texts.ts';
import { findPerson, personView } from './person-page.ts';
import { chosenRoles } from './roles-field.ts';

const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;

type MembershipOutcome =
  | 'changed'
  /** The person does not work for the registrar any more, or is as it shall be. */
  | 'unknown'
  | 'last administrator';

type MemberChange = (
  parts: ConsoleParts,
  visit: Visit,
  membership: MembershipChange,
  input: FormInput,
) => Promise<MembershipOutcome | 'no roles'>;

async function outcomeOf<Input, Answer>(
  parts: ConsoleParts,
  visit: Visit,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
): Promise<MembershipOutcome> {
  const outcome = await carryOutFor(visit, parts, operation, input);
  if ('answer' in outcome) return 'changed';
  return outcome.refused[0] === 'lastAdministrator' ? 'last administrator' : 'unknown';
}

/** A change of one person of the registrar; those of others are unknown. */
const memberChange = (name: string, notice: Notice, change: MemberChange): ConsoleChange => ({
  ...{ path: `/people/:person/${name}`, ...DANGEROUS },
  run: async (parts, visit, input): Promise<ChangeOutcome | undefined> => {
    const person = await findPerson(parts, visit, input);
    if (!person) return undefined;
    const { registrarCode, personId } = visit.session;
    const membership = { email: person.email, registrar: registrarCode, wallTime: parts.wallClock.now() };
    const outcome = await change(parts, visit, membership, input);
    const { lastAdministrator, faults } = peopleTexts(visit.lang);
    if (outcome === 'no roles')
      return { ...personView(person, visit, parts, { roles: faults.roles }), status: 400 };
    if (outcome === 'last administrator')
      return { ...personView(person, visit, parts, { all: lastAdministrator }), status: 409 };
    // Somebody who changed its own access may not see the page of people any more.
    if (person.id === personId) return { to: consoleAddress(''), notice };
    const isGone = outcome === 'unknown' || name === 'remove';
    return { to: consoleAddress(isGone ? '/people' : `/people/${person.id}`), notice };
  },
});

export const peopleChanges: readonly ConsoleChange[] = [
  { ...{ path: '/people/invite', ...DANGEROUS }, run: invite },
  {
    ...{ path: '/people/withdraw', ...DANGEROUS },
    run: async (parts, visit, { field }) => {
      const registrar = visit.session.registrarCode;
      const invitation = { email: field('email'), registrar, wallTime: parts.wallClock.now() };
      const isDone = 'answer' in (await carryOutFor(visit, parts, withdrawInvitation, invitation));
      return { to: consoleAddress('/people'), ...(isDone && { notice: 'invitationWithdrawn' }) };
    },
  },
  memberChange('roles', 'personRolesChanged', async (parts, visit, { email, registrar }, input) => {
    const roles = chosenRoles(input);
    if (roles.length === 0) return 'no roles';
    return outcomeOf(parts, visit, setPersonRoles, { email, registrar, roles });
  }),
  memberChange('end-sessions', 'personSessionsEnded', (parts, visit, membership) =>
    outcomeOf(parts, visit, endMemberSessions, membership),
  ),
  memberChange('disable', 'personDisabled', (parts, visit, membership) =>
    outcomeOf(parts, visit, disableMembership, membership),
  ),
  memberChange('enable', 'personEnabled', (parts, visit, membership) =>
    outcomeOf(parts, visit, enableMembership, membership),
  ),
  memberChange('remove', 'personRemoved', (parts, visit, membership) =>
    outcomeOf(parts, visit, removePerson, membership),
  ),
];

async function invite(parts: ConsoleParts, visit: Visit, input: FormInput): Promise<ChangeOutcome> {
  const { policy, wallClock, publicUrl } = parts;
  const { faults: texts } = peopleTexts(visit.lang);
  const email = parsePersonEmail(input.field('email'), policy);
  const name = parsePersonName(input.field('name'));
  const roles = chosenRoles(input);
  const language = input.field('language') === 'en' ? 'en' : 'et';
  const again = async (faults: Invited['faults'], status: number): Promise<ChangeOutcome> => {
    const given = {
      email: input.field('email'),
      name: input.field('name'),
      language,
      roles,
      faults,
    } as const;
    return { ...peopleView(await loadPeople(parts, visit), visit, parts, given), status };
  };
  if (email === undefined || name === undefined || roles.length === 0)
    return again(
      {
        ...(email === undefined && { email: texts.email }),
        ...(name === undefined && { name: texts.name }),
        ...(roles.length === 0 && { role: texts.roles }),
      },
      400,
    );
  const { registrarCode: registrar } = visit.session;
  const moment = { wallTime: wallClock.now(), publicUrl: publicUrl() };
  const invitation = { email, name, language, registrar, roles, ...moment } as const;
  const outcome = await carryOutFor(visit, parts, invitePerson, invitation);
  if ('answer' in outcome) return { to: consoleAddress('/people'), notice: 'personInvited' };
  return again({ email: texts[REFUSALS[outcome.refused[0]] ?? 'email'] }, 409);
}

/** The registrar of a session exists. */
const REFUSALS: Readonly<Record<string, 'member' | 'disabled' | 'tooMany'>> = {
  membershipTaken: 'member',
  personDisabled: 'disabled',
  tooManyInvitations: 'tooMany',
};
