import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairTurns } from '../../../src/platform/concurrency/fair-turns.ts';

test('success: one piece of work in each turn, and the keys in rotation', async () => {
  const turns = new FairTurns<string>();
  const done: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.run(name.charAt(0), () => done.push(name));
  expect(done).toEqual([]);
  for (let known = 0; done.length < 6; known = done.length) {
    await nextTurn();
    expect(done.length - known).toBeLessThanOrEqual(1);
  }
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('success: it goes on with what is added later', async () => {
  const turns = new FairTurns<undefined>();
  const done: number[] = [];
  turns.run(undefined, () => {
    done.push(1);
    turns.run(undefined, () => done.push(2));
  });
  while (done.length < 2) await nextTurn();
  turns.run(undefined, () => done.push(3));
  while (done.length < 3) await nextTurn();
  expect(done).toEqual([1, 2, 3]);
});
