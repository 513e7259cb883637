import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RoundTurns } from '../../../src/platform/concurrency/round-turns.ts';

test('success: in a turn each key has one piece of its work done', async () => {
  const turns = new RoundTurns<string>();
  const done: string[] = [];
  const rounds: string[][] = [];
  for (const key of ['a', 'a', 'a', 'b', 'b', 'c']) turns.runLater(key, () => done.push(key));
  expect(done).toEqual([]);
  while (rounds.flat().length < 6) {
    await nextTurn();
    if (done.length > 0) rounds.push(done.splice(0));
  }
  expect(rounds).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a']]);
});
