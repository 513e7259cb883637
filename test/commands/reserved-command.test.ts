import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer } from '../support/billing.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, type Client } from '../support/client.ts';
import { firstFailure, freshName, outcome as outcomeOf, Registrant } from '../support/domains.ts';
import { Portal } from '../support/portal.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { NOTICED } from '../support/waiting.ts';

/** The command beside a running server: what it does is what the server's clients see. */
let registry: TestRegistry;
let client: Client;
let registrant: Registrant;
const run = (...args: string[]) =>
  cadastre(['reserved', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  registrant = await Registrant.of(client);
});
afterAll(() => registry.stop());

type Listed = { name: string; heldBy: string; invoice: number | null; expiresAt: string | null };
const listed = async (...filters: string[]): Promise<Listed[]> =>
  JSON.parse((await run('list', '--json', ...filters)).stdout);
const namesOf = async (...filters: string[]) => (await listed(...filters)).map(({ name }) => name);
const byOperator = { heldBy: 'operator', invoice: null };
const checked = async (name: string) => (await client.get(`/domains/check/${name}`)).body.data.domain.reason;
const codeIn = (stdout: string): string => / Its code: (\S+)\n$/.exec(stdout)?.[1] ?? '';

describe('cadastre reserved', () => {
  test('success: permanently, under a code that is shown once and registers the name', async () => {
    const added = await run('add', 'Ministeerium.ee', '--reason', 'kept for the ministry');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^ministeerium\.ee is reserved for good\. Its code: [0-9a-f]{32}\n$/);
    expect(await checked('ministeerium.ee')).toBe('reserved');
    expect(await listed()).toContainEqual({ ...byOperator, name: 'ministeerium.ee', expiresAt: null });
    const table = (await run('list')).stdout;
    expect(table).toMatch(/^NAME +HELD BY +INVOICE +EXPIRES AT\n[\s\S]*^ministeerium\.ee +operator +- +-$/m);

    const code = codeIn(added.stdout);
    const history = await registry.sql.rows(sql`
      select operation, reason, to_jsonb(h)::text as row from history h where object_name = 'ministeerium.ee'`);
    expect(history).toMatchObject([{ operation: 'reserve', reason: 'kept for the ministry' }]);
    expect(table + JSON.stringify(history) + registry.logged()).not.toContain(code);

    expect(firstFailure(await registrant.try({ name: 'ministeerium.ee' }))).toEqual([
      400,
      2003,
      'domain.reserved_pw',
    ]);
    await registrant.register({ name: 'ministeerium.ee', reserved_pw: code });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ name: 'ministeerium.ee' }));
  });

  test('success: --for sets the end of the reservation, --code its code', async () => {
    const name = freshName();
    const added = await run('add', name, '--for', 'P1Y', '--code', 'chosen-code');
    const until = / until (\S+)\. Its code: chosen-code\n$/.exec(added.stdout)?.[1] ?? '';
    const days = (Date.parse(until) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(364.9);
    expect(days).toBeLessThan(366.1);
    expect(await listed()).toContainEqual({ ...byOperator, name, expiresAt: until });
    expect(outcomeOf(await registrant.try({ name, reserved_pw: 'wrong-code' }))).toEqual([400, 2202]);

    const short = freshName();
    await run('add', short, '--for', 'PT1S');
    await expect.poll(() => checked(short), NOTICED).toBeNull();
    expect(await registrant.register({ name: short })).toBe(short);
  });

  test('failure: a name with a valid code is not reserved again; its code stays', async () => {
    const name = freshName();
    await run('add', name, '--code', 'the-first-code');
    expect(await run('add', name, '--code', 'the-second-code')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${name} is reserved already; release it first.\n`,
    });
    expect(outcomeOf(await registrant.try({ name, reserved_pw: 'the-first-code' }))).toEqual([200, 1000]);
  });

  test('success: release frees the name', async () => {
    const name = freshName();
    await run('add', name);
    expect(await run('release', '--yes', name, '--reason', 'not needed')).toEqual({
      code: 0,
      stdout: `${name} is free.\n`,
      stderr: '',
    });
    expect(await checked(name)).toBeNull();
    expect(await run('release', '--yes', name)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${name} is not reserved.\n`,
    });
  });

  test('failure: a registered name is refused, and no reservation stays', async () => {
    const name = await registrant.register();
    expect(await run('add', name)).toEqual({ code: 1, stdout: '', stderr: `${name} is registered.\n` });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ name }));
    expect(
      await registry.sql.rows(sql`select from history where object_kind = 'name' and object_name = ${name}`),
    ).toHaveLength(0);
  });

  test.each([
    ['a name of another zone', ['add', 'example.com'], /^example\.com is no name of our zones\.\n$/],
    ['no duration', ['add', 'kaua.ee', '--for', 'a year'], /^--for is an ISO 8601 duration such as P1Y\.\n$/],
    ['a duration backwards', ['add', 'kaua.ee', '--for', '-P1Y'], /^--for [^\n]+\.\n$/],
    ['no time at all', ['add', 'kaua.ee', '--for', 'PT0S'], /^--for [^\n]+\.\n$/],
    ['an empty code', ['add', 'kaua.ee', '--code', ''], /^[^\n]*code[^\n]*\.\n$/],
    [
      'releasing a name that is not reserved',
      ['release', '--yes', 'vaba.ee'],
      /^vaba\.ee is not reserved\.\n$/,
    ],
  ])('failure: %s ends with 1 and one sentence, and nothing is reserved', async (_what, args, sentence) => {
    const result = await run(...args);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ name: 'kaua.ee' }));
  });

  test('success: list can be filtered', async () => {
    const portal = new Portal(registry.url);
    const [good, brief, free, paid] = ['sõel-hea.ee', 'sõel-ajutine.ee', 'sõel-vaba.ee', 'sõel-tasuline.ee'];
    await run('add', good);
    await run('add', brief, '--for', 'P1D');
    await portal.reserve(free);
    const { body: invoice } = await portal.reserveLong(paid);
    const payer = new Payer(registry.url);
    await payer.pay(invoice.linkpay_url);
    await payer.invoice(invoice.invoice_number);

    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await namesOf('--name', 'SÕEL')).toEqual([brief, good, paid, free]);
    expect(await namesOf('--name', 'sõel', '--held-by', 'operator')).toEqual([brief, good]);
    expect(await namesOf('--name', 'sõel', '--for-good')).toEqual([good]);
    expect(await namesOf('--name', 'sõel', '--ends-before', day(3))).toEqual([brief]);
    expect(await namesOf('--name', 'sõel', '--ends-before', day(30))).toEqual([brief, free]);
    expect(await listed('--held-by', 'portal', '--name', 'sõel')).toMatchObject([
      { name: paid, heldBy: 'portal', invoice: invoice.invoice_number },
      { name: free, heldBy: 'portal', invoice: null },
    ]);
    expect((await run('list', '--held-by', 'nobody')).stderr).toMatch(
      /^--held-by is one of operator, portal\.\n$/,
    );
    expect((await run('list', '--ends-before', '31.1.2031')).stderr).toMatch(/^--ends-before is a day /);
  });

  test('success: extend moves the end of a reservation, and history has both dates', async () => {
    const name = freshName();
    await run('add', name, '--for', 'P1D', '--code', 'the-code');
    const [before] = await listed('--name', name);
    const outcome = await run('extend', name, '--for', 'P7D', '--reason', 'asked for');
    const until = / until (\S+)\.\n$/.exec(outcome.stdout)?.[1] ?? '';
    expect(
      Math.round((Date.parse(until) - Date.parse(before?.expiresAt ?? '')) / 3_600_000) / 24,
    ).toBeCloseTo(7, 1);
    expect(await listed('--name', name)).toEqual([{ ...byOperator, name, expiresAt: until }]);
    const history = await registry.sql.rows(sql`
      select operation, reason, before, after from history where object_name = ${name} order by id`);
    expect(history[1]).toEqual({
      operation: 'extend',
      reason: 'asked for',
      before: { expires_at: before?.expiresAt },
      after: { expires_at: until },
    });
    expect(outcomeOf(await registrant.try({ name, reserved_pw: 'the-code' }))).toEqual([200, 1000]);
  });

  test('success: the old id of the portal never shows the code under which an operator reserves again', async () => {
    const name = freshName();
    const { body } = await new Portal(registry.url).reserve(name);
    await registry.sql.run(sql`update reserved_names set expires_at = created_at where name = ${name}`);
    expect((await run('add', name, '--code', 'of-the-operator')).code).toBe(0);
    const { body: entries } = await new Portal(registry.url).get(`/reserve_domains/${body.user_unique_id}`);
    expect(entries).toEqual([{ name, status: 'expired' }]);
    expect(await listed('--name', name)).toEqual([{ ...byOperator, name, expiresAt: null }]);
  });

  test.each([
    [
      'extending a name that is not reserved',
      ['extend', 'vaba.ee', '--for', 'P1D'],
      /^vaba\.ee is not reserved\.\n$/,
    ],
    [
      'extending for good',
      ['extend', 'reserved.ee', '--for', 'P1D'],
      /^reserved\.ee is reserved for good\.\n$/,
    ],
  ])('failure: %s', async (_what, args, sentence) => {
    const result = await run(...args);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(sentence);
  });

  test.each(['a week', '-P1D', 'PT0S'])('failure: extending by "%s" changes nothing', async (duration) => {
    const name = freshName();
    await run('add', name, '--for', 'P1D');
    const before = await listed('--name', name);
    expect((await run('extend', name, `--for=${duration}`)).stderr).toMatch(
      /^--for is an ISO 8601 duration /,
    );
    expect(await listed('--name', name)).toEqual(before);
  });
});
