import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KnownRequesters } from '../../src/registry/lookup/known-requesters.ts';
import { recordLookup } from '../../src/registry/lookup/requesters.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

let database: DroppableDatabase;
const run = (...args: string[]) =>
  cadastre(['rdap', 'requester', ...args], { env: { DATABASE_URL: database.url } });
beforeAll(async () => {
  database = await openProductionDatabase();
});
afterAll(() => database.drop());

const PURPOSE = ['--purpose', 'Code of Criminal Procedure, § 215'];
const UNTIL = ['--until', '2199-12-31'];
const find = (token: string, at = new Date()) => new KnownRequesters(database.sql).find(token, at);

describe('cadastre rdap requester', () => {
  test('success: add prints a token once, valid until the end of its last day; revoke invalidates it', async () => {
    const added = await run('add', 'police', ...PURPOSE, ...UNTIL, '--reason', 'letter 7-1');
    expect(added.stdout).toMatch(
      /^police sees hidden contacts until 2199-12-31T22:00:00\.000Z\. Its token, which is not shown again: [\w-]{43}\n$/,
    );
    const token = added.stdout.trim().split(' ').at(-1) ?? '';
    expect(await find(token)).toMatchObject({ name: 'police', purpose: PURPOSE[1] });
    expect(await find(token, new Date('2199-12-31T22:00:00Z'))).toBeUndefined();

    const revoked = await run('revoke', 'police', '--yes', '--reason', 'the officer left');
    expect(revoked).toEqual({ code: 0, stdout: 'police is revoked.\n', stderr: '' });
    expect(await find(token)).toBeUndefined();

    const history = await cadastre(['history', 'police', '--json'], {
      env: { DATABASE_URL: database.url },
    });
    expect(JSON.parse(history.stdout)).toMatchObject([
      { operation: 'create', reason: 'letter 7-1', actor: expect.stringMatching(/^operator:/) },
      { operation: 'revoke', reason: 'the officer left' },
    ]);
    expect(history.stdout + (await run('list', '--json')).stdout).not.toContain(token);
  });

  test('success: list shows which requesters are valid, expired and revoked, and their purpose', async () => {
    for (const name of ['court', 'tax-board', 'left']) await run('add', name, ...PURPOSE, ...UNTIL);
    await database.sql.run(
      sql`update lookup_requesters set expires_at = created_at where name = 'tax-board'`,
    );
    await run('revoke', 'left', '--yes');
    const rows: { name: string; status: string; purpose: string }[] = JSON.parse(
      (await run('list', '--json')).stdout,
    );
    expect(Object.fromEntries(rows.map(({ name, status }) => [name, status]))).toMatchObject({
      court: 'valid',
      'tax-board': 'expired',
      left: 'revoked',
    });
    expect((await run('list')).stdout).toMatch(
      /^NAME +PURPOSE +STATUS +CREATED AT +EXPIRES AT +REVOKED AT\n/,
    );
  });

  test('success: requests shows the queries of one requester, or of all', async () => {
    const [added] = await Promise.all([
      run('add', 'asks', ...PURPOSE, ...UNTIL, '--json'),
      run('add', 'asks-not', ...PURPOSE, ...UNTIL),
    ]);
    const requester = await find(JSON.parse(added.stdout).token);
    await recordLookup(database.sql, {
      requesterId: requester?.id ?? 0,
      at: new Date(),
      address: '192.0.2.7',
      kind: 'domain',
      name: 'hidden.ee',
      requestId: 'request-1',
    });
    const expected = { requester: 'asks', address: '192.0.2.7', kind: 'domain', name: 'hidden.ee' };
    expect(JSON.parse((await run('requests', 'asks', '--json')).stdout)).toMatchObject([expected]);
    expect(JSON.parse((await run('requests', '--json')).stdout)).toMatchObject([expected]);
    expect(JSON.parse((await run('requests', 'asks-not', '--json')).stdout)).toEqual([]);
    const listed = async (...options: string[]) =>
      JSON.parse((await run('requests', '--json', ...options)).stdout).length;
    expect([await listed('--since', '2001-01-01'), await listed('--since', '2101-01-01')]).toEqual([1, 0]);
    expect([await listed('--limit', '1'), await listed('--limit', '5')]).toEqual([1, 1]);
  });

  test('success: a dry run adds and revokes nothing, and shows no token', async () => {
    const added = await run('add', 'dry', ...PURPOSE, ...UNTIL, '--dry-run', '--json');
    expect(JSON.parse(added.stdout)).toEqual({
      name: 'dry',
      purpose: PURPOSE[1],
      expiresAt: '2199-12-31T22:00:00.000Z',
      dryRun: true,
    });
    expect((await run('revoke', 'dry', '--dry-run')).stderr).toBe('There is no requester dry to revoke.\n');
  });

  test.each([
    ['no purpose', ['add', 'nobody', '--purpose', ' ', ...UNTIL], /^--purpose has 1 to 500 characters\.\n$/],
    ['no day', ['add', 'nobody', ...PURPOSE, '--until', 'soon'], /^--until is a day such as 2031-01-31\.\n$/],
    [
      'a day in the past',
      ['add', 'nobody', ...PURPOSE, '--until', '2020-01-31'],
      /^--until is over already\.\n$/,
    ],
    ['a malformed name', ['add', 'No Body', ...PURPOSE, ...UNTIL], /^The name of a requester has .*\.\n$/],
    [
      'revoking an unknown requester',
      ['revoke', 'nobody', '--yes'],
      /^There is no requester nobody to revoke\.\n$/,
    ],
    ['revoking without confirmation', ['revoke', 'nobody'], /add --yes if it is meant\.\n$/],
    ['no requests at all', ['requests', '--limit', '0'], /^--limit is 1 to 1000000\.\n$/],
    ['requests of an unknown requester', ['requests', 'nobody'], /^There never was a requester nobody\.\n$/],
  ])('failure: %s ends with 1 and one sentence', async (_what, args, sentence) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
  });

  test('failure: a name that was used before', async () => {
    await run('add', 'once', ...PURPOSE, ...UNTIL);
    expect((await run('add', 'once', ...PURPOSE, ...UNTIL)).stderr).toMatch(
      /^There is, or was, a requester once; /,
    );
  });
});
