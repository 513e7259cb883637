import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { Portal } from '../support/portal.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { NOTICED } from '../support/waiting.ts';

/** The command beside a running server: clients with a token are accepted, and no others. */
let registry: TestRegistry;
const run = (...args: string[]) =>
  cadastre(['portal', 'token', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const tokenIn = (stdout: string): string => / not shown again: (\S+)\n$/.exec(stdout)?.[1] ?? '';
const statusFor = async (token: string) =>
  (await new Portal(registry.url, token).get('/domain_names/Foo')).status;

describe('cadastre portal token', () => {
  test('success: create prints a valid token, once; revoke invalidates it', async () => {
    const created = await run('create', 'uus-portaal', '--reason', 'for the test');
    expect(created.stdout).toMatch(
      /^uus-portaal is valid until it is revoked\. Its token, which is not shown again: [\w-]{43}\n$/,
    );
    const token = tokenIn(created.stdout);
    await expect.poll(() => statusFor(token), NOTICED).toBe(200);

    const revoked = await run('revoke', 'uus-portaal', '--yes', '--reason', 'it leaked');
    expect(revoked).toEqual({ code: 0, stdout: 'uus-portaal is revoked.\n', stderr: '' });
    await expect.poll(() => statusFor(token), NOTICED).toBe(401);
    expect(await statusFor('portal-sandbox-token')).toBe(200);

    const history = await registry.sql.rows(sql`
      select operation, reason, actor, to_jsonb(h)::text as row from history h where object_name = 'uus-portaal' order by id`);
    expect(history).toMatchObject([
      { operation: 'create', reason: 'for the test', actor: expect.stringMatching(/^operator:/) },
      { operation: 'revoke', reason: 'it leaked' },
    ]);
    const { stdout } = await run('list', '--json');
    expect(JSON.stringify(history) + stdout + registry.logged()).not.toContain(token);
  });

  test('success: list shows which are valid, expired and revoked', async () => {
    const created = await run('create', 'lyhike', '--for', 'P1Y');
    expect(created.stdout).toMatch(/^lyhike is valid until \d{4}-\S+Z\. /);
    await registry.sql.run(sql`update portal_tokens set expires_at = created_at where name = 'lyhike'`);
    await run('create', 'pikk', '--for', 'P10Y');
    await run('create', 'tagasi');
    await run('revoke', 'tagasi', '--yes');
    const rows: { name: string; status: string }[] = JSON.parse((await run('list', '--json')).stdout);
    const statuses = Object.fromEntries(rows.map(({ name, status }) => [name, status]));
    expect(statuses).toMatchObject({ lyhike: 'expired', pikk: 'valid', tagasi: 'revoked', portal: 'valid' });
    expect(rows.at(-1)?.name).toBe('portal');
    expect((await run('list')).stdout).toMatch(/^NAME +STATUS +CREATED AT +EXPIRES AT +REVOKED AT\n/);
  });

  test.each([
    ['a name that was there before', ['create', 'portal'], /^There is, or was, a token portal; .*\.\n$/],
    ['a malformed name', ['create', 'a b'], /^The name of a token has .*\n$/],
    ['no duration', ['create', 'kauaks', '--for', 'a year'], /^--for is an ISO 8601 duration .*\.\n$/],
    ['a duration backwards', ['create', 'kauaks', '--for=-P1Y'], /^--for is .*\.\n$/],
    ['revoking an unknown token', ['revoke', 'kauaks', '--yes'], /^There is no token kauaks to revoke\.\n$/],
  ])('failure: %s ends with 1 and one sentence', async (_what, args, sentence) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(await registry.sql.rows(sql`select from portal_tokens where name = 'kauaks'`)).toHaveLength(0);
  });
});
