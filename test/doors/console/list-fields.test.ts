import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLeftOut } from '../../../src/doors/console/bulk/name-list.ts';
import { keysIn, linesOf, nameserversIn } from '../../../src/doors/console/domains/list-fields.ts';
import { StepCounter } from '../../support/steps.ts';

let counter: StepCounter;
beforeAll(async () => {
  counter = await StepCounter.start();
});
afterAll(() => counter.stop());

test.each([
  ['nameservers', nameserversIn],
  ['keys', keysIn],
])(
  'success: eight times the lines of %s, each of them refused, take about eight times the steps',
  async (field, read) => {
    const effortOf = (lines: number) => {
      const text = 'a\n'.repeat(lines);
      return counter.effortOf(() => {
        const lineOf = linesOf(field, () => text);
        for (const index of read(text).keys()) lineOf(String(index));
      });
    };
    await effortOf(1);
    const [few, many] = [await effortOf(100), await effortOf(800)];
    expect(many.steps).toBeLessThan(10 * few.steps);
  },
);

test('success: of the domains that are left out 10,000 lines are read, empty ones among them', () => {
  expect(readLeftOut(`${'\n'.repeat(9_999)}a.ee,x`).size).toBe(1);
  expect(readLeftOut(`${'\n'.repeat(10_000)}a.ee,x`).size).toBe(0);
});
