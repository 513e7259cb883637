import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { dayAfter } from '../../src/registry/domains/rules/periods.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

let database: DroppableDatabase;
const run = (...args: string[]) => cadastre(['price', ...args], { env: { DATABASE_URL: database.url } });
beforeAll(async () => {
  database = await openProductionDatabase();
});
afterAll(() => database.drop());

const inDays = (days: number) => dayAfter(new Date(), days, ee);
const listed = async (...args: string[]) => JSON.parse((await run('list', '--json', ...args)).stdout);

describe('cadastre price', () => {
  test('success: a registry without prices lists none', async () => {
    expect(await run('list', '--zone', 'med.ee')).toEqual({ code: 0, stdout: '(none)\n', stderr: '' });
    expect(await run('list', '--zone', 'med.ee', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('success: set from a day on, listed as a table and as JSON, and kept in history with its reason', async () => {
    const outcome = await run(
      'set',
      'ee',
      'create',
      '1y',
      '9.00',
      '--from',
      '2026-01-01',
      '--reason',
      'council decision 7',
    );
    expect(outcome).toEqual({
      code: 0,
      stdout: 'From 2026-01-01 on, create 1y in ee costs 9.00 EUR.\n',
      stderr: '',
    });
    const table = (await run('list', '--zone', 'ee')).stdout;
    expect(table).toMatch(/^ZONE +OPERATION +PERIOD +PRICE +CURRENCY +VALID FROM +VALID UNTIL\n/);
    expect(table).toMatch(/^ee +create +1y +9\.00 +EUR +2026-01-01 +-$/m);
    expect(await listed('--zone', 'ee')).toEqual([
      {
        zone: 'ee',
        operation: 'create',
        period: '1y',
        price: '9.00',
        currency: 'EUR',
        validFrom: '2026-01-01',
        validUntil: null,
      },
    ]);
    const history = await database.sql.rows(sql`
      select object_name, operation, reason, after from history where object_kind = 'price' and reason is not null`);
    expect(history).toEqual([
      {
        object_name: 'ee create 12m',
        operation: 'set',
        reason: 'council decision 7',
        after: { amount: 900, valid_from: '2026-01-01' },
      },
    ]);
  });

  test('success: an amount without cents is shown with them', async () => {
    expect((await run('set', 'fie.ee', 'renew', '9m', '5', '--from', '2026-01-01')).stdout).toBe(
      'From 2026-01-01 on, renew 9m in fie.ee costs 5.00 EUR.\n',
    );
  });

  test('success: without --from it is valid from today; the same day replaces it, another day is added', async () => {
    const today = inDays(0);
    expect((await run('set', 'pri.ee', 'renew', '6m', '5.00')).stdout).toBe(
      `From ${today} on, renew 6m in pri.ee costs 5.00 EUR.\n`,
    );
    await run('set', 'pri.ee', 'renew', '6m', '5.50');
    await run('set', 'pri.ee', 'renew', '6m', '6.00', '--from', inDays(30));
    expect(await listed('--zone', 'pri.ee')).toMatchObject([
      { period: '6m', price: '5.50', validFrom: today },
      { period: '6m', price: '6.00', validFrom: inDays(30) },
    ]);
  });

  test('success: end on a day, of that operation and period alone', async () => {
    for (const period of ['1y', '2y'])
      await run('set', 'com.ee', 'create', period, '9.00', '--from', '2026-01-01');
    await run('set', 'com.ee', 'renew', '1y', '9.00', '--from', '2026-01-01');
    expect(await run('end', 'com.ee', 'create', '1y', '--on', inDays(10), '--reason', 'no longer')).toEqual({
      code: 0,
      stdout: `From ${inDays(10)} on, create 1y in com.ee is not offered.\n`,
      stderr: '',
    });
    expect((await run('end', 'com.ee', 'create', '2y')).code).toBe(0);
    expect(await listed('--zone', 'com.ee')).toMatchObject([
      { operation: 'create', period: '1y', validUntil: inDays(10) },
      { operation: 'create', period: '2y', validUntil: inDays(0) },
      { operation: 'renew', period: '1y', validUntil: null },
    ]);
    expect((await run('end', 'com.ee', 'create', '1y', '--on', inDays(20))).code).toBe(1);
  });

  test.each([
    ['another zone', ['set', 'com', 'create', '1y', '9.00'], /^com is no zone of this registry; .*ee.*\.\n$/],
    ['another operation', ['set', 'ee', 'transfer', '1y', '9.00'], /^The operation is create or renew\.\n$/],
    ['another period', ['set', 'ee', 'create', '11y', '9.00'], /^The period is 3m, .*\.\n$/],
    ['a period without unit', ['set', 'ee', 'create', '12', '9.00'], /^The period is 3m, .*\.\n$/],
    ['nothing to pay', ['set', 'ee', 'create', '3y', '0.00'], /^The amount is above zero, .*\.\n$/],
    ['less than nothing', ['set', 'ee', 'create', '3y', '--', '-9.00'], /^The amount is above zero/],
    ['three digits of cents', ['set', 'ee', 'create', '3y', '9.000'], /^The amount is above zero/],
    ['a comma', ['set', 'ee', 'create', '3y', '9,00'], /^The amount is above zero/],
    [
      'no real day',
      ['set', 'ee', 'create', '3y', '9.00', '--from', '2026-02-30'],
      /^--from is a day yyyy-mm-dd\.\n$/,
    ],
    [
      'an end on no real day',
      ['end', 'ee', 'create', '3y', '--on', 'tomorrow'],
      /^--on is a day yyyy-mm-dd\.\n$/,
    ],
    [
      'ending a price that is not there',
      ['end', 'fie.ee', 'renew', '3y'],
      /^No price for renew 3y in fie\.ee is running on \d{4}-\d\d-\d\d\.\n$/,
    ],
  ])('failure: %s ends with 1 and one sentence, and nothing is written', async (_what, args, sentence) => {
    const before = await database.sql.rows(sql`select * from prices order by id`);
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(await database.sql.rows(sql`select * from prices order by id`)).toEqual(before);
  });

  test.each([
    ['no amount', ['set', 'ee', 'create', '1y']],
    ['an option without its value', ['end', 'ee', 'create', '1y', '--on']],
    ['an unknown subcommand', ['raise', 'ee']],
  ])('failure: %s is a usage error, which ends with 2', async (_what, args) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .+/);
  });
});
