import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { operator } from '../support/operator.ts';

let database: DroppableDatabase;
const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: database.url } });
beforeAll(async () => {
  database = await openProductionDatabase();
  for (const code of ['GAMMA', 'DELTA'])
    await carryOut(database.sql, createRegistrar, { code, name: code }, operator());
});
afterAll(() => database.drop());

const REASON = ['--reason', 'no answer since May', '--reason-code', 'unpaid'] as const;

describe('the reason of an operator', () => {
  test('success: its parts are kept in history, and a case is found in it', async () => {
    const given = [...REASON, '--for-registrar', 'Your account is overdue', '--case', '2-26-77'];
    expect((await run('registrar', 'suspend', 'GAMMA', ...given)).code).toBe(0);
    expect((await run('registrar', 'activate', 'DELTA', '--case', '2-26-77')).code).toBe(0);
    const { stdout } = await run('history', '--case', '2-26-77');
    expect(stdout.split('\n\n')).toEqual([
      expect.stringMatching(
        /suspend, by operator:.+\n {4}registrar GAMMA\n {4}why: no answer since May\n {4}reason: unpaid\n {4}told to the registrar: Your account is overdue\n {4}case 2-26-77/,
      ),
      expect.stringMatching(/activate, by operator:.+\n {4}registrar DELTA\n {4}case 2-26-77/),
    ]);
    const rows = JSON.parse((await run('history', 'GAMMA', '--json')).stdout);
    expect(rows.at(-1)).toMatchObject({
      operation: 'suspend',
      reason: 'no answer since May',
      reasonCode: 'unpaid',
      reasonForRegistrar: 'Your account is overdue',
      caseNumber: '2-26-77',
    });
  });

  test('success: a dry run keeps nothing', async () => {
    expect((await run('registrar', 'suspend', 'DELTA', '--case', 'dry', '--dry-run')).code).toBe(0);
    expect(await run('history', '--case', 'dry')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was ever done in case dry.'),
    });
  });

  test.each([
    [['--reason-code', 'because'], '--reason-code is one of registrar-request, '],
    [['--reason', ' '], '--reason must not be empty: it is kept.'],
    [['--case', '\u200b'], '--case must not be empty: it is kept.'],
    [['--for-registrar', 'x'.repeat(501)], '--for-registrar has at most 500 characters.'],
  ])('failure: %j', async (given, text) => {
    const { code, stderr } = await run('registrar', 'suspend', 'DELTA', ...given);
    expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
    expect((await run('registrar', 'show', 'DELTA')).stdout).toContain('active');
  });

  test('failure: the history of an object and of a case at once, or of neither', async () => {
    expect(await run('history', 'GAMMA', '--case', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Name an object or a case, not both.'),
    });
    expect(await run('history')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing required argument 'name'"),
    });
  });
});
