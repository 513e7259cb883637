import { describe, test } from 'vitest';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { SessionLeases } from '../../src/registry/sessions/session-leases.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { registryForThisTest, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { expect } from '../support/this-test.ts';

const commandOn =
  ({ databaseName }: TestRegistry) =>
  (...args: string[]) =>
    cadastre(['epp', ...args], { env: { DATABASE_URL: databaseUrl(databaseName) } });

/** A process that holds sessions of these users. */
async function holding(registry: TestRegistry, ...usernames: string[]) {
  const ended: string[] = [];
  const leases = new SessionLeases(
    { reads: registry.sql, writes: registry.sql },
    {
      sessionsPerRegistrar: 4,
      certificates: 'optional',
      server: 'server-1',
      onEnded: (reason, _, { principal }) => ended.push(`${principal.username}: ${reason}`),
    },
  );
  const ids: string[] = [];
  for (const username of usernames) {
    const principal = await principalOf(registry.sql, username);
    const lease = await leases.open(principal, {
      address: '192.0.2.1',
      fingerprint: undefined,
      end: () => {},
    });
    lease.countCommand();
    ids.push(lease.id);
  }
  await leases.renew();
  return { leases, ids, ended };
}

async function principalOf(db: Sql, username: string) {
  const row = await db.one(sql<{ userId: number; registrarId: number; registrarCode: string }>`
    select u.id as "userId", u.registrar_id as "registrarId", r.code as "registrarCode"
    from api_users u join registrars r on r.id = u.registrar_id where u.username = ${username}`);
  return { ...row, username, registrarName: '', roles: ['super'] as const };
}

describe('cadastre epp', () => {
  test('success: who is logged in, on every server', async () => {
    const registry = await registryForThisTest();
    const run = commandOn(registry);
    const { ids } = await holding(registry, 'alpha', 'beta');
    const { code, stdout } = await run('sessions');
    expect(code).toBe(0);
    expect(stdout).toMatch(/ALPHA +alpha +192\.0\.2\.1 .*\n.*BETA +beta +192\.0\.2\.1 /);
    const listed = await run('sessions', '--registrar', 'BETA', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id: ids[1],
        registrar: 'BETA',
        user: 'beta',
        address: '192.0.2.1',
        commands: 1,
        server: 'server-1',
        userAgent: null,
        since: expect.any(String),
        lastCommand: expect.any(String),
      },
    ]);
  });

  test('success: a session, or all of a registrar, end when their server checks', async () => {
    const registry = await registryForThisTest();
    const run = commandOn(registry);
    const { leases, ids, ended } = await holding(registry, 'alpha', 'beta', 'beta');
    const dry = await run('end', '--registrar', 'BETA', '--dry-run');
    expect(dry.stdout).toContain('Dry run');
    await leases.renew();
    expect(ended).toEqual([]);
    const one = await run('end', ids[0] ?? '', '--yes', '--reason', 'it loops');
    expect(one).toMatchObject({ code: 0, stdout: '1 session of alpha ends within seconds.\n' });
    await leases.renew();
    expect(ended).toEqual(['alpha: operator']);
    const all = await run('end', '--registrar', 'BETA', '--yes', '--json');
    expect(JSON.parse(all.stdout).ended.toSorted()).toEqual(ids.slice(1).toSorted());
    await leases.renew();
    expect(ended).toHaveLength(3);
    const history = await registry.sql.rows(sql`
      select object_name, reason from history where operation = 'end EPP session' order by id`);
    expect(history).toEqual([
      { object_name: 'alpha', reason: 'it loops' },
      ...['beta', 'beta'].map((object_name) => ({ object_name, reason: null })),
    ]);
  });

  test('failure: no selection, no such session, or no confirmation', async () => {
    const run = commandOn(await registryForThisTest());
    const missing = '0f4f9c1e-52c5-4b0e-9a44-3b7a5d1c2e60';
    const refused = async (...args: string[]) => (await run('end', ...args)).stderr;
    expect(await refused('--yes')).toContain('Name one session by its id, or a registrar');
    expect(await refused(missing, '--registrar', 'ALPHA', '--yes')).toContain('Name one session');
    expect(await refused(missing, '--yes')).toContain(`There is no EPP session ${missing}.`);
    expect(await refused('1', '--yes')).toContain('There is no EPP session 1.');
    expect(await refused('--registrar', 'ALPHA', '--yes')).toContain('ALPHA has no EPP session.');
    expect(await refused('--registrar', 'ALPHA')).toContain('add --yes');
  });
});
