import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runInSpacedTurn } from '../../../src/platform/concurrency/spaced-event-loop-turn.ts';

test('success: other turns of the event loop come first', async () => {
  let isDone = false;
  runInSpacedTurn(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns += 1) await nextTurn();
  expect(turns).toBe(process.platform === 'linux' ? 2 : 8);
});
