import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLeftOut } from '../../../src/doors/console/bulk/name-list.ts';
import { keysIn, nameserversIn } from '../../../src/doors/console/domains/list-fields.ts';
import { DOMAIN_FIELDS, placeRefusals } from '../../../src/doors/console/render-refusals.ts';
import { refusal } from '../../../src/registry/domains/rules/domain-refusals.ts';
import { StepCounter } from '../../support/steps.ts';

let counter: StepCounter;
beforeAll(async () => {
  counter = await StepCounter.start();
});
afterAll(() => counter.stop());

test.each([
  ['nameservers', nameserversIn],
  ['dnsKeys', keysIn],
] as const)(
  'success: eight times the lines of %s, each of them refused, take about eight times the steps',
  async (list, read) => {
    const effortOf = (lines: number) => {
      const text = 'a\n'.repeat(lines);
      return counter.effortOf(() => {
        const refusals = read(text).map((_, index) =>
          refusal('tooMany', { most: 1, what: 'x', at: [list, index] }),
        );
        placeRefusals(refusals, DOMAIN_FIELDS, () => text);
      });
    };
    await effortOf(1);
    const [few, many] = [await effortOf(100), await effortOf(800)];
    expect(many.steps).toBeLessThan(10 * few.steps);
  },
);

test('success: of the domains that are left out 20,000 lines are read, empty ones among them', () => {
  expect(readLeftOut(`${'\n'.repeat(19_999)}a.ee,x`).size).toBe(1);
  expect(readLeftOut(`${'\n'.repeat(20_000)}a.ee,x`).size).toBe(0);
});

test('success: of the domains that are left out those before a quotation mark that is not closed', () => {
  expect([...readLeftOut('a.ee,x\n"b.ee,x\nc.ee,x')]).toEqual([['a.ee', { name: 'x', values: {} }]]);
});
