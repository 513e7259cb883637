import { expect, test } from 'vitest';
import { type Receipt, ReceiveBudget } from '../../../src/platform/concurrency/receive-budget.ts';

const share = { perSender: 100, inAll: 250 };
function budgetWith(limits = { known: share, strangers: share }) {
  const budget = new ReceiveBudget(limits);
  const refused: string[] = [];
  const begin = (name: string, key: string, isStranger = false): Receipt =>
    budget.begin({ key, isStranger }, () => refused.push(name));
  return { budget, refused, begin };
}

test('failure: of a sender with too many bytes the largest is refused, and smaller ones go on', () => {
  const { budget, refused, begin } = budgetWith();
  const [large, small, last] = [begin('large', 'a'), begin('small', 'a'), begin('last', 'a')];
  expect([large.add(60), small.add(30), last.add(10)]).toEqual([true, true, true]);
  expect(last.add(5)).toBe(true);
  expect([refused, budget.bytes]).toEqual([['large'], 45]);
  expect([large.add(1), large.isEnded]).toEqual([false, true]);
});

test('failure: where all are too much, the largest of the sender with most is refused', () => {
  const { refused, begin } = budgetWith();
  for (const [index, key] of ['a', 'a', 'b', 'b'].entries()) begin(`${key}${index}`, key).add(45 + index);
  const little = begin('little', 'c');
  expect(little.add(80)).toBe(true);
  expect(refused).toEqual(['b3']);
});

test('failure: it is the newcomer if nobody has more', () => {
  const { refused, begin } = budgetWith({ known: { perSender: 100, inAll: 100 }, strangers: share });
  begin('first', 'a').add(40);
  expect(begin('second', 'b').add(70)).toBe(false);
  expect(refused).toEqual(['second']);
});

test('success: strangers take nothing from those who are known', () => {
  const { refused, begin } = budgetWith();
  const known = begin('known', 'a');
  known.add(100);
  for (let index = 0; index < 20; index += 1) begin('stranger', `s${index}`, true).add(50);
  expect(new Set(refused)).toEqual(new Set(['stranger']));
  expect(known.isEnded).toBe(false);
});

test('success: whoever shows credentials counts as known from then on', () => {
  const { refused, begin } = budgetWith({ known: share, strangers: { perSender: 60, inAll: 60 } });
  const body = begin('body', 'address', true);
  body.add(50);
  body.identify({ key: 'a', isStranger: false });
  expect([body.add(40), begin('other', 'another', true).add(50)]).toEqual([true, true]);
  expect(refused).toEqual([]);
});

test('success: what is complete is not refused, and counts until it ends', () => {
  const { budget, refused, begin } = budgetWith();
  const whole = begin('whole', 'a');
  whole.add(90);
  whole.complete();
  expect(begin('next', 'a').add(20)).toBe(false);
  whole.end();
  whole.end();
  expect(budget.bytes).toBe(0);
  expect(begin('after', 'a').add(100)).toBe(true);
  expect(refused).toEqual(['next']);
});
