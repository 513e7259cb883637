import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listUnfinished } from '../../src/platform/recorded-checks.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, type Client, poor } from '../support/client.ts';
import { balanceOf, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

/** The command beside a running server: registrars see what it books. */
let registry: TestRegistry;
let funded: Client;
let unfunded: Client;
const run = (...args: string[]) =>
  cadastre(['ledger', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
  [funded, unfunded] = [alpha(registry.url), poor(registry.url)];
  const registrant = await Registrant.of(funded);
  for (let count = 0; count < 3; count++) await registrant.register();
});
afterAll(() => registry.stop());

const recorded = () => registry.sql.one(sql`select * from operator_checks where kind = 'ledger'`);
const correct = (registrar: string, amount: string, reason: string) =>
  run('correct', registrar, '--reason', reason, '--', amount);

describe('cadastre ledger check', () => {
  test('success: a clean ledger, in words and as JSON', async () => {
    const first = await run('check');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const entries = Number(/^The ledger is clean\. Checked: all (\d+) entries\.\n$/.exec(first.stdout)?.[1]);
    expect(entries).toBeGreaterThan(0);
    expect((await run('check')).stdout).toMatch(
      new RegExp(
        `^The ledger is clean\\. Checked: 0 entries, and ${entries} before them from \\S+Z to \\S+Z; --all checks those again\\.\n$`,
      ),
    );
    const { stdout, code } = await run('check', '--all', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { findings: [], findingCount: 0, entries }]);
    expect(JSON.parse((await run('check', '--json')).stdout)).toMatchObject({
      entries: 0,
      before: { entries },
    });
    expect(await recorded()).toMatchObject({ succeeded: true, succeeded_at: expect.any(Date) });
  });

  test('failure: a tampered balance is reported with its place and both sums, and ends with 1', async () => {
    await registry.sql.run(sql`
      update ledger_accounts a set balance = balance + 1 from registrars r
      where r.id = a.registrar_id and r.code = 'BETA' and a.kind = 'registrar'`);
    const finding = {
      finding: 'a balance is not the sum of its entries',
      subject: 'BETA registrar',
      expected: '10000000',
      found: '10000001',
    };
    const checked = await run('check');
    expect(checked).toMatchObject({ code: 1, stderr: 'The ledger disagrees in 1 places.\n' });
    expect(checked.stdout).toMatch(/^FINDING +SUBJECT +EXPECTED +FOUND\n/);
    expect(checked.stdout).toMatch(/^a balance is not .+ BETA registrar +10000000 +10000001\n$/m);
    const json = await run('check', '--json');
    expect(json).toMatchObject({ code: 1, stderr: 'The ledger disagrees in 1 places.\n' });
    expect(JSON.parse(json.stdout)).toMatchObject({ findings: [finding], findingCount: 1 });
    expect(await recorded()).toMatchObject({ succeeded: false, detail: 'disagrees in 1 places' });
    await registry.sql.run(sql`
      update ledger_accounts a set balance = balance - 1 from registrars r
      where r.id = a.registrar_id and r.code = 'BETA' and a.kind = 'registrar'`);
    expect((await run('check')).code).toBe(0);
  });
});

describe('the record of cadastre ledger check', () => {
  const unfinished = () => listUnfinished(registry.sql);

  test('success: the beginning of a check that ended does not count', async () => {
    expect((await run('check')).code).toBe(0);
    expect(await unfinished()).toEqual([]);
    await registry.sql.run(sql`update operator_checks set at = at - interval '1 day' where kind = 'ledger'`);
    expect(await unfinished()).toMatchObject([{ kind: 'ledger' }]);
    expect((await run('check')).code).toBe(0);
    expect(await unfinished()).toEqual([]);
  });

  test('failure: a check that ends in an error is recorded as failed', async () => {
    await registry.sql.run(sql`alter table ledger_accounts rename to ledger_accounts_elsewhere`);
    const tried = await run('check');
    await registry.sql.run(sql`alter table ledger_accounts_elsewhere rename to ledger_accounts`);
    expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining('The schema is older') });
    expect(await recorded()).toMatchObject({
      succeeded: false,
      detail: expect.stringMatching(/^The schema is older/),
    });
    expect(await unfinished()).toEqual([]);
    expect((await run('check')).code).toBe(0);
  });
});

describe('cadastre ledger list', () => {
  test('success: the entries of an account, the newest first, filtered by day', async () => {
    const { stdout, code } = await run('list', 'ALPHA');
    expect(code).toBe(0);
    const [head, newest, ...others] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ID +AT +OPERATION +DESCRIPTION +SUM +BALANCE +ACTOR +REASON$/);
    expect(newest).toMatch(/ create +\S.* -9\.00 +99973\.00 +user:alpha /);
    expect(others.at(-1)).toMatch(/ opening +Opening balance +100000\.00 +100000\.00 +sandbox +-$/);
    expect(others).toHaveLength(3);
    expect(await run('list', 'ALPHA', '--until', '2020-01-01')).toMatchObject({ stdout: '(none)\n' });
  });

  test('failure: an unknown registrar, and an invalid day', async () => {
    expect(await run('list', 'NOBODY')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no registrar NOBODY.\n',
    });
    expect(await run('list', 'ALPHA', '--from', 'once')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('cadastre ledger correct', () => {
  test('success: credit, debit, and down to zero; the registrar sees each with its reason', async () => {
    expect(await correct('POOR', '10.00', 'refund of a double payment')).toEqual({
      code: 0,
      stdout: 'The balance of POOR is 15.00.\n',
      stderr: '',
    });
    expect(await balanceOf(unfunded)).toBe('15.00');
    expect((await correct('POOR', '-12.50', 'taken back')).stdout).toBe('The balance of POOR is 2.50.\n');
    expect((await correct('POOR', '-2.50', 'all of it')).stdout).toBe('The balance of POOR is 0.00.\n');
    const { transactions } = (await unfunded.get('/accounts/balance?detailed=true')).body.data;
    expect(transactions.slice(0, 3)).toMatchObject([
      { type: 'debit', sum: '-2.50', balance: '0.00', description: 'Correction: all of it' },
      { type: 'debit', sum: '-12.50', balance: '2.50', description: 'Correction: taken back' },
      {
        type: 'credit',
        sum: '10.00',
        balance: '15.00',
        description: 'Correction: refund of a double payment',
      },
    ]);
    const entries = await registry.sql.rows(sql<{ actor: string; reason: string }>`
      select actor, reason from ledger_entries where operation = 'correction' order by id`);
    expect(entries.map(({ reason }) => reason)).toEqual([
      'refund of a double payment',
      'taken back',
      'all of it',
    ]);
    for (const { actor } of entries) expect(actor).toMatch(/^operator:\S+$/);
    expect((await run('check')).code).toBe(0);
  });

  test.each([
    ['more than the balance', 'POOR', '-1000000.00', /^There is no registrar POOR, or the balance does not/],
    ['an unknown registrar', 'NOBODY', '5.00', /^There is no registrar NOBODY, or .*\.\n$/],
    ['nothing', 'POOR', '0.00', /^The amount is not zero, .*\.\n$/],
    ['three digits of cents', 'POOR', '5.001', /^The amount is not zero, .*\.\n$/],
  ])('failure: %s is refused, and nothing is booked', async (_what, registrar, amount, sentence) => {
    const before = await registry.sql.rows(sql`select id from ledger_entries order by id`);
    const outcome = await correct(registrar, amount, 'a try');
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(await registry.sql.rows(sql`select id from ledger_entries order by id`)).toEqual(before);
    expect((await run('check')).code).toBe(0);
  });

  test('failure: no reason is a usage error, an empty one is refused', async () => {
    expect(await run('correct', 'ALPHA', '5.00')).toMatchObject({ code: 2, stdout: '' });
    expect(await correct('ALPHA', '5.00', '')).toMatchObject({ code: 1, stdout: '' });
  });
});
