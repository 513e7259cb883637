import { type InvitationOutcome, invitePerson } from '../../../registry/people/invitations.ts';
import {
  disableMembership,
  enableMembership,
  endMemberSessions,
  type Membership,
  type MembershipOutcome,
  removeMembership,
  setPersonRoles,
} from '../../../registry/people/memberships.ts';
import { parsePersonEmail } from '../../../registry/people/person-email.ts';
import { parsePersonName } from '../../../registry/people/person-name.ts';
import { withdrawInvitation } from '../../../registry/people/withdraw-invitation.ts';
import { changeBy } from '../account/person-change.ts';
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

type MemberChange = (
  parts: ConsoleParts,
  visit: Visit,
  membership: Membership,
  input: FormInput,
) => Promise<MembershipOutcome | 'no roles'>;

/** A change of one person of the registrar; those of others are unknown. */
const memberChange = (name: string, notice: Notice, change: MemberChange): ConsoleChange => ({
  ...{ path: `/people/:person/${name}`, ...DANGEROUS },
  run: async (parts, visit, input): Promise<ChangeOutcome | undefined> => {
    const person = await findPerson(parts, visit, input);
    if (!person) return undefined;
    const { registrarCode, personId } = visit.session;
    const outcome = await change(parts, visit, { email: person.email, registrar: registrarCode }, input);
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
    run: async ({ database, wallClock }, visit, { field }) => {
      const invitation = { email: field('email'), registrar: visit.session.registrarCode };
      const now = wallClock.now();
      return (await withdrawInvitation(database.writes, invitation, changeBy(visit), now))
        ? { to: consoleAddress('/people'), notice: 'invitationWithdrawn' }
        : { to: consoleAddress('/people') };
    },
  },
  memberChange('roles', 'personRolesChanged', async ({ database }, visit, membership, input) => {
    const roles = chosenRoles(input);
    if (roles.length === 0) return 'no roles';
    return setPersonRoles(database.writes, membership, roles, changeBy(visit));
  }),
  memberChange('end-sessions', 'personSessionsEnded', async ({ database, wallClock }, visit, membership) =>
    (await endMemberSessions(database.writes, membership, changeBy(visit), wallClock.now()))
      ? 'changed'
      : 'unknown',
  ),
  memberChange('disable', 'personDisabled', ({ database, wallClock }, visit, membership) =>
    disableMembership(database.writes, membership, changeBy(visit), wallClock.now()),
  ),
  memberChange('enable', 'personEnabled', async ({ database }, visit, membership) =>
    (await enableMembership(database.writes, membership, changeBy(visit))) ? 'changed' : 'unknown',
  ),
  memberChange('remove', 'personRemoved', ({ database, wallClock }, visit, membership) =>
    removeMembership(database.writes, membership, changeBy(visit), wallClock.now()),
  ),
];

async function invite(parts: ConsoleParts, visit: Visit, input: FormInput): Promise<ChangeOutcome> {
  const { policy, database, wallClock, publicUrl } = parts;
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
  const invitation = { email, name, language, registrar: visit.session.registrarCode, roles } as const;
  const moment = { now: wallClock.now(), publicUrl: publicUrl(), policy };
  const outcome = await invitePerson(database.writes, invitation, changeBy(visit), moment);
  if (typeof outcome === 'object') return { to: consoleAddress('/people'), notice: 'personInvited' };
  return again({ email: texts[REFUSALS[outcome]] }, 409);
}

/** The registrar of a session exists. */
const REFUSALS: Readonly<
  Record<Extract<InvitationOutcome, string>, 'email' | 'member' | 'disabled' | 'tooMany'>
> = { 'unknown registrar': 'email', member: 'member', disabled: 'disabled', 'too many': 'tooMany' };
