import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { readHistory } from '../../../src/registry/history/read-history.ts';
import { correctBalance } from '../../../src/registry/registrars/correct-balance.ts';
import { poor } from '../../support/client.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const correct = (code: string, amount: bigint, given = operator({ reason: { text: 'a test' } })) =>
  carryOut(registry.sql, correctBalance, { code, amount }, given);
const historyOf = async () =>
  (await readHistory(registry.sql, ['registrar'], 'POOR')).filter(
    ({ operation }) => operation === 'correct balance',
  );

/** The registrar begins with 5.00. */
describe('a correction of a balance', () => {
  test('success: it is in the history of the registrar; a dry run is not', async () => {
    expect(await correct('POOR', 250n, operator({ reason: { text: 'a test' }, dryRun: true }))).toBe(750n);
    expect(await historyOf()).toEqual([]);
    expect(await correct('POOR', 250n)).toBe(750n);
    expect(await historyOf()).toMatchObject([
      { actor: 'test', registrar: 'POOR', reason: 'a test', after: { amount: '2.50', balance: '7.50' } },
    ]);
    expect(await correct('POOR', -250n)).toBe(500n);
    expect(await historyOf()).toHaveLength(2);
  });

  test('success: the registrar is told the text for it, and not the one for the file', async () => {
    const reason = { text: 'for the file', forRegistrar: 'a double payment', caseNumber: '7' };
    await correct('POOR', 100n, operator({ reason }));
    const { body } = await poor(registry.url).get('/accounts/balance?detailed=true');
    expect(body.data.transactions[0]).toMatchObject({ description: 'Correction: a double payment' });
    expect((await historyOf()).at(-1)).toMatchObject({
      reason: 'for the file',
      reasonForRegistrar: 'a double payment',
      caseNumber: '7',
    });
  });

  test.each([
    ['without a reason', 'POOR', 100n, undefined, 'correctionUnexplained'],
    ['of nothing', 'POOR', 0n, { text: 'x' }, 'correctionZero'],
    ['of more than there is', 'POOR', -1_000_000n, { text: 'x' }, 'correctionImpossible'],
    ['of an unknown registrar', 'NOBODY', 100n, { text: 'x' }, 'correctionImpossible'],
  ])('failure: %s', async (_what, code, amount, reason, name) => {
    const before = await historyOf();
    await expect(correct(code, amount, operator({ reason }))).rejects.toMatchObject({
      refusals: [{ name }],
    });
    expect(await historyOf()).toEqual(before);
  });
});
