import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { freshName, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
const run = (...args: string[]) =>
  cadastre(['zone', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
  const registrant = await Registrant.of(alpha(registry.url));
  for (const zone of ['ee', 'ee', 'pri.ee']) await registrant.register({ name: freshName(zone) });
});
afterAll(() => registry.stop());

describe('cadastre zone', () => {
  test('success: every zone of the policy in its order, with its domains and prices', async () => {
    const outcome = await run('list', '--json');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const [priced] = await registry.sql.rows(sql<{ count: number }>`
      select count(*)::int as count from prices where zone = 'med.ee'`);
    expect(JSON.parse(outcome.stdout)).toEqual(
      ee.zones.map(({ origin }) => ({
        zone: origin,
        domains: { ee: 2, 'pri.ee': 1 }[origin] ?? 0,
        prices: priced?.count,
        suggested: 'yes',
      })),
    );
    expect(priced?.count).toBeGreaterThan(0);
  });

  test('success: as a table', async () => {
    const { stdout, code } = await run('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ZONE +DOMAINS +PRICES +SUGGESTED\nee +2 +\d+ +yes\n/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(ee.zones.length + 1);
  });

  test('failure: a zone is not made by a command; it is a usage error, which ends with 2', async () => {
    const outcome = await run('add', 'fi');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .+/);
  });
});
