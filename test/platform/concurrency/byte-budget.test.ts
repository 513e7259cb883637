import { expect, test } from 'vitest';
import { ByteBudget } from '../../../src/platform/concurrency/byte-budget.ts';

/** Work that ends when it is told to. */
function workOn(budget: ByteBudget, started: string[], name: string, bytes: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const done = budget.run(bytes, () => {
    started.push(name);
    return promise;
  });
  return { done, end: resolve, fail: reject };
}

test('success: only so many bytes are worked on at once, and the rest in its order, also after a failure', async () => {
  const budget = new ByteBudget(10);
  const started: string[] = [];
  const first = workOn(budget, started, 'first', 6);
  const second = workOn(budget, started, 'second', 4);
  const large = workOn(budget, started, 'large', 9);
  const small = workOn(budget, started, 'small', 1);
  expect(started).toEqual(['first', 'second']);
  first.fail(new Error('broken'));
  await expect(first.done).rejects.toThrow('broken');
  expect(started).toEqual(['first', 'second']);
  second.end();
  await second.done;
  await expect.poll(() => started).toEqual(['first', 'second', 'large', 'small']);
  for (const { end } of [large, small]) end();
  await Promise.all([large.done, small.done]);
});

test('success: what is larger than the budget is done alone', async () => {
  const budget = new ByteBudget(10);
  const started: string[] = [];
  const huge = workOn(budget, started, 'huge', 1_000);
  const other = workOn(budget, started, 'other', 1);
  expect(started).toEqual(['huge']);
  huge.end();
  await huge.done;
  await expect.poll(() => started).toEqual(['huge', 'other']);
  other.end();
  await other.done;
});
