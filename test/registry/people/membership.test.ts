import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from '../../../src/app/seed.ts';
import { carryOut, type OperatorContext } from '../../../src/operations/operator-operation.ts';
import { createPerson } from '../../../src/registry/people/create-person.ts';
import { disableMembership } from '../../../src/registry/people/disable-membership.ts';
import { enableMembership } from '../../../src/registry/people/enable-membership.ts';
import { endMemberSessions } from '../../../src/registry/people/end-member-sessions.ts';
import { invitePerson } from '../../../src/registry/people/invite-person.ts';
import { removePerson } from '../../../src/registry/people/remove-person.ts';
import { resetMemberFactors } from '../../../src/registry/people/reset-member-factors.ts';
import { setPersonRoles } from '../../../src/registry/people/set-person-roles.ts';
import { withdrawInvitation } from '../../../src/registry/people/withdraw-invitation.ts';
import { PEOPLE } from '../../support/console.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const [email] = PEOPLE.reader;
const registrar = 'ALPHA';
const wallTime = new Date();
const membership = { email, registrar, wallTime };
const invitation = {
  email: 'new@alpha.example',
  language: 'en',
  registrar,
  roles: ['reader'],
  wallTime,
  publicUrl: 'https://registry.example',
} as const;

let registry: TestRegistry;
let ofBeta: OperatorContext;
beforeAll(async () => {
  registry = await startRegistry();
  const { id } = await registry.sql.one(sql<{ id: number }>`select id from registrars where code = 'BETA'`);
  ofBeta = operator({ actor: 'person:b@beta.example', registrarId: id });
});
afterAll(() => registry.stop());

type Change = (by: OperatorContext) => Promise<unknown>;
const changes = {
  roles: (by) => carryOut(registry.sql, setPersonRoles, { email, registrar, roles: ['domains'] }, by),
  disable: (by) => carryOut(registry.sql, disableMembership, membership, by),
  enable: (by) => carryOut(registry.sql, enableMembership, membership, by),
  sessions: (by) => carryOut(registry.sql, endMemberSessions, membership, by),
  factors: (by) => carryOut(registry.sql, resetMemberFactors, { ...membership, by: 'Anna Alpha' }, by),
  remove: (by) => carryOut(registry.sql, removePerson, membership, by),
  invite: (by) => carryOut(registry.sql, invitePerson, invitation, by),
  withdraw: (by) => carryOut(registry.sql, withdrawInvitation, { ...invitation }, by),
} as const satisfies Record<string, Change>;
const refusedWith = (name: string) => ({ refusals: [{ name }] });
const historyLength = async () =>
  (await registry.sql.one(sql<{ count: number }>`select count(*)::int from history`)).count;

describe('people of a registrar', () => {
  test.each<[string, keyof typeof changes, string]>([
    ['given roles', 'roles', 'membershipMissing'],
    ['shut out', 'disable', 'membershipNotActive'],
    ['let in again', 'enable', 'membershipNotDisabled'],
    ['logged out', 'sessions', 'noSessionToEnd'],
    ['given another second factor', 'factors', 'membershipMissing'],
    ['removed', 'remove', 'personNotOfRegistrar'],
    ['invited', 'invite', 'registrarMissing'],
    ['uninvited', 'withdraw', 'invitationMissing'],
  ])('failure: cannot be %s by a person of another one', async (_, change, refusal) => {
    await registry.sql.run(sql`
      update memberships set disabled_at = ${change === 'enable' ? wallTime : null}
      where person_id = (select id from people where email_key = ${email})`);
    const before = await historyLength();
    await expect(changes[change](ofBeta)).rejects.toMatchObject(refusedWith(refusal));
    expect(await historyLength()).toBe(before);
  });

  test('failure: nothing is done twice', async () => {
    await changes.disable(operator());
    await expect(changes.disable(operator())).rejects.toMatchObject(refusedWith('membershipNotActive'));
    await changes.enable(operator());
    await expect(changes.enable(operator())).rejects.toMatchObject(refusedWith('membershipNotDisabled'));
    await expect(changes.sessions(operator())).rejects.toMatchObject(refusedWith('noSessionToEnd'));
    await changes.invite(operator());
    await changes.withdraw(operator());
    await expect(changes.withdraw(operator())).rejects.toMatchObject(refusedWith('invitationMissing'));
  });

  test('success: a dry run of a removal leaves everything', async () => {
    const before = await historyLength();
    expect(await changes.remove(operator({ dryRun: true }))).toMatchObject({ was: 'member' });
    expect(await historyLength()).toBe(before);
    await changes.roles(operator());
  });

  test('failure: no more than a hundred are invited within a day', async () => {
    await registry.sql.run(sql`
      insert into invitations (token_hash, email, name, language, registrar_id, roles, invited_by, created_at, expires_at)
      select sha256(n::text::bytea), n || '@alpha.example', n::text, 'en', r.id, '{reader}', 'test', ${wallTime}, ${wallTime}
      from registrars r, generate_series(1, 100) as n where r.code = ${registrar}`);
    await expect(changes.invite(operator())).rejects.toMatchObject(refusedWith('tooManyInvitations'));
  });

  test('failure: a person is not created twice', async () => {
    const [{ password: _, ...person }] = seed.people as readonly [(typeof seed.people)[number]];
    await expect(
      carryOut(registry.sql, createPerson, { ...person, passwordHash: 'hash' }, operator()),
    ).rejects.toMatchObject(refusedWith('personTaken'));
  });
});
