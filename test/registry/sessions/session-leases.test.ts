import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { Refused } from '../../../src/operations/refusal.ts';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { CertificateMode } from '../../../src/registry/access/known-users.ts';
import type { ApiUser } from '../../../src/registry/actor.ts';
import { allowAddresses } from '../../../src/registry/registrars/allow-addresses.ts';
import { createRegistrar } from '../../../src/registry/registrars/create-registrar.ts';
import { suspendRegistrar } from '../../../src/registry/registrars/suspend-registrar.ts';
import { endSessions } from '../../../src/registry/sessions/end-sessions.ts';
import { listSessions } from '../../../src/registry/sessions/list-sessions.ts';
import { SessionLeases } from '../../../src/registry/sessions/session-leases.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { disableUser } from '../../../src/registry/users/disable-user.ts';
import { setUserRoles } from '../../../src/registry/users/set-user-roles.ts';
import { type OwnAuthority, ownAuthority, revokeSerial, signedFor } from '../../support/certificates.ts';
import { operator } from '../../support/operator.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';

let databases: readonly Database[];
let authority: OwnAuthority;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ databases, close } = await openTestDatabase(2));
  authority = await ownAuthority(db());
});
afterAll(() => close());

const disable = (username: string) => carryOut(db(), disableUser, { username, isDisabled: true }, operator());
const setRoles = (username: string, roles: ApiUser['roles']) =>
  carryOut(db(), setUserRoles, { username, roles }, operator());
const client = { address: '192.0.2.1', fingerprint: undefined, end: (_reason: string) => {} };
const db = () => (databases[0] as Database).writes;

let registrars = 0;
/** A separate registrar with one user. */
async function newPrincipal(roles: ApiUser['roles'] = ['epp']): Promise<ApiUser> {
  registrars += 1;
  const [code, username] = [`REG${registrars}`, `user${registrars}`];
  await carryOut(db(), createRegistrar, { code, name: code }, operator());
  const user = { username, registrar: code, roles, passwordHash: 'no hash' };
  await carryOut(db(), createUser, user, operator());
  const ids = await db().one(sql<{ userId: number; registrarId: number }>`
    select id as "userId", registrar_id as "registrarId" from api_users where username = ${username}`);
  return { ...ids, username, registrarCode: code, registrarName: code, roles };
}

type Settings = { certificates?: CertificateMode; sessionsPerRegistrar?: number };
/** The leases of one process, and the notices of ended sessions that it received. */
function processOn(database: Database | undefined, settings: Settings = {}) {
  if (!database) throw new Error('no such database');
  const ended: string[] = [];
  const leases = new SessionLeases(database, {
    sessionsPerRegistrar: 4,
    certificates: 'ignored',
    server: 'a:1',
    ...settings,
    onEnded: (reason, why) => ended.push(`${reason}: ${why}`),
  });
  return { leases, ended };
}
const nameOf = (error: unknown) => (error instanceof Refused ? error.refusals[0].name : String(error));
const live = async ({ registrarCode }: ApiUser) => (await listSessions(db(), registrarCode)).length;

describe.concurrent('the number of sessions of a registrar', () => {
  test('failure: parallel logins in two processes never exceed it', async () => {
    const principal = await newPrincipal();
    const processes = databases.map((database) => processOn(database));
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        processes[index % 2]?.leases.open(principal, client).then(() => 'open', nameOf),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(4);
    expect(new Set(outcomes)).toEqual(new Set(['open', 'tooManySessions']));
    expect(await live(principal)).toBe(4);
  });

  test('success: a hundred parallel logins of one registrar delay nobody else', async () => {
    const [one, other] = await Promise.all([newPrincipal(), newPrincipal()]);
    const { leases } = processOn(databases[0]);
    let decided = 0;
    const parallel = Array.from({ length: 100 }, () =>
      leases.open(one, client).then(
        () => (decided += 1),
        () => (decided += 1),
      ),
    );
    await leases.open(other, client);
    expect(decided).toBeLessThan(20);
    await Promise.all(parallel);
    expect(await live(one)).toBe(4);
  });

  test('success: another registrar has its own limit, and a released place is free immediately', async () => {
    const [one, other] = await Promise.all([newPrincipal(), newPrincipal()]);
    const { leases } = processOn(databases[0], { sessionsPerRegistrar: 1 });
    const lease = await leases.open(one, client);
    await leases.open(other, client);
    await expect(leases.open(one, client)).rejects.toThrow('The registrar has 1 sessions');
    await lease.release();
    await leases.open(one, client);
    expect([await live(one), leases.size]).toEqual([1, 2]);
    await leases.close();
    expect([await live(one), await live(other), leases.size]).toEqual([0, 0, 0]);
  });

  test('success: the sessions of a killed process end with their leases; if it is still alive, it ends them', async () => {
    const principal = await newPrincipal();
    const frozen = processOn(databases[0], { sessionsPerRegistrar: 1 });
    const next = processOn(databases[1], { sessionsPerRegistrar: 1 });
    const lost: string[] = [];
    await frozen.leases.open(principal, { ...client, end: (reason) => lost.push(reason) });
    await expect(next.leases.open(principal, client)).rejects.toThrow();
    await db().run(sql`update epp_sessions set lease_until = now() where user_id = ${principal.userId}`);
    await next.leases.open(principal, client);
    await frozen.leases.renew();
    await frozen.leases.renew();
    expect([lost, frozen.ended]).toEqual([['lease-lost'], ['lease-lost: its lease had expired']]);
    expect(await live(principal)).toBe(1);
  });

  test('success: a late renewal succeeds if no other session took the place', async () => {
    const principal = await newPrincipal();
    const { leases, ended } = processOn(databases[0]);
    const lease = await leases.open(principal, client);
    await db().run(sql`update epp_sessions set lease_until = now() where user_id = ${principal.userId}`);
    expect(await live(principal)).toBe(0);
    lease.countCommand();
    lease.countCommand();
    await leases.renew();
    const [row] = await db().rows(sql`select commands::int, lease_until > now() as live from epp_sessions
      where user_id = ${principal.userId}`);
    expect([row, ended]).toEqual([{ commands: 2, live: true }, []]);
  });
});

describe.concurrent('a session ends when its login would no longer succeed', () => {
  /** A session whose user is then changed; how it ended. */
  async function afterChange(apply: (principal: ApiUser) => Promise<unknown>): Promise<string[]> {
    const principal = await newPrincipal();
    const { leases, ended } = processOn(databases[0]);
    await leases.open(principal, client);
    await leases.endRevoked();
    expect(ended).toEqual([]);
    await apply(principal);
    await leases.endRevoked();
    await leases.endRevoked();
    return ended;
  }

  test.each<[string, (principal: ApiUser) => Promise<unknown>, RegExp]>([
    ['of a disabled user', ({ username }) => disable(username), /not active/],
    [
      'of a suspended registrar',
      ({ registrarCode }) =>
        carryOut(db(), suspendRegistrar, { code: registrarCode, isSuspended: true }, operator()),
      /not active/,
    ],
    ['of a user without the right to objects', ({ username }) => setRoles(username, ['billing']), /role/],
    [
      'from an address that is not on the list',
      ({ registrarCode }) =>
        carryOut(
          db(),
          allowAddresses,
          { registrar: registrarCode, range: '198.51.100.0/24', note: '', purpose: 'api' },
          operator(),
        ),
      /address/,
    ],
  ])('failure: %s', async (_, apply, why) => {
    expect(await afterChange(apply)).toEqual([expect.stringMatching(why)]);
  });

  test('success: another change of the user does not end it', async () => {
    expect(await afterChange(({ username }) => setRoles(username, ['super']))).toEqual([]);
  });

  test('failure: of a user that was changed between login and lease', async () => {
    const principal = await newPrincipal();
    await disable(principal.username);
    const { leases, ended } = processOn(databases[0]);
    await leases.open(principal, client);
    await leases.endRevoked();
    expect(ended).toHaveLength(1);
  });

  test('failure: of a certificate that was revoked', async () => {
    const principal = await newPrincipal();
    const { certificate } = await signedFor(db(), authority, principal.username);
    const { leases, ended } = processOn(databases[0], { certificates: 'optional' });
    await leases.open(principal, client);
    await leases.open(principal, { ...client, fingerprint: certificate.fingerprint });
    await leases.endRevoked();
    expect(ended).toEqual([]);
    await revokeSerial(db(), certificate.serial);
    await leases.endRevoked();
    expect(ended).toEqual(['access-lost: the certificate is not one of this user, or was revoked']);
  });

  test('failure: ended by an operator, which history records', async () => {
    const principal = await newPrincipal();
    const [here, there] = databases.map((database) => processOn(database));
    const lease = await here?.leases.open(principal, { ...client, userAgent: 'client 1' });
    await there?.leases.open(principal, { ...client, address: '::ffff:192.0.2.9' });
    expect(await listSessions(db(), principal.registrarCode)).toMatchObject([
      { id: lease?.id, user: principal.username, address: '192.0.2.1', userAgent: 'client 1', commands: 0 },
      { address: '192.0.2.9', userAgent: null, server: 'a:1' },
    ]);
    const wanted = { id: String(lease?.id) };
    const asked = await carryOut(db(), endSessions, wanted, operator({ reason: { text: 'stuck' } }));
    expect(asked).toEqual({
      ended: [{ id: lease?.id, user: principal.username, registrar: principal.registrarCode }],
    });
    await Promise.all([here?.leases.renew(), there?.leases.renew()]);
    expect([here?.ended, there?.ended]).toEqual([['operator: an operator ended it'], []]);
    const history = await db().rows(sql`select operation, reason, after ->> 'session' as session from history
      where object_name = ${principal.username} and operation like 'end%'`);
    expect(history).toEqual([{ operation: 'end EPP session', reason: 'stuck', session: lease?.id }]);
  });
});

// Not concurrent: it moves the clock.
test('failure: a session ends whose certificate expired, although nobody changed anything', async () => {
  const principal = await newPrincipal();
  const { certificate } = await signedFor(db(), authority, principal.username);
  const { leases, ended } = processOn(databases[0], { certificates: 'required' });
  await leases.open(principal, { ...client, fingerprint: certificate.fingerprint });
  const clock = vi.spyOn(wallClock, 'now');
  onTestFinished(() => clock.mockRestore());
  clock.mockReturnValue(new Date(certificate.validUntil.getTime() - 1_000));
  await leases.endRevoked();
  expect(ended).toEqual([]);
  clock.mockReturnValue(new Date(certificate.validUntil.getTime() + 1_000));
  await leases.endRevoked();
  expect(ended).toEqual(['access-lost: the certificate is not valid now']);
});
