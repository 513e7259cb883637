import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ByteBudget } from '../../../src/platform/concurrency/byte-budget.ts';

/** Works that note their start and end when they are told to. */
function workOn(budget: ByteBudget<string>) {
  const started: string[] = [];
  const work = (name: string, key: string, bytes: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = budget.run(key, bytes, () => {
      started.push(name);
      return promise;
    });
    return { done, end: resolve, fail: reject };
  };
  return { started, work };
}

test('success: only so many bytes are worked on at once, and the rest in its order, also after a failure', async () => {
  const { started, work } = workOn(new ByteBudget(10));
  const first = work('first', 'a', 6);
  const second = work('second', 'b', 4);
  const large = work('large', 'c', 9);
  const small = work('small', 'd', 1);
  await turn();
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

test('success: a key has one work at a time, and its queue delays no other key', async () => {
  const { started, work } = workOn(new ByteBudget(30));
  const own = Array.from({ length: 4 }, (_, index) => work(`own ${index}`, 'a', 12));
  const other = work('other', 'b', 1);
  await turn();
  expect(started).toEqual(['own 0', 'other']);
  const next = work('next', 'b', 12);
  for (const { end } of [...own, other, next]) end();
  await Promise.all([...own, other, next].map(({ done }) => done));
  expect(started.indexOf('next')).toBeLessThan(started.indexOf('own 2'));
});

test('success: what is larger than the budget is done alone', async () => {
  const { started, work } = workOn(new ByteBudget(10));
  const huge = work('huge', 'a', 1_000);
  const other = work('other', 'b', 1);
  await turn();
  expect(started).toEqual(['huge']);
  huge.end();
  await huge.done;
  await expect.poll(() => started).toEqual(['huge', 'other']);
  other.end();
  await other.done;
});
