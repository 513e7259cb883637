import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Deadline, DeadlineExceeded } from '../../../src/platform/concurrency/deadline.ts';
import { withDeadline } from '../../../src/platform/work-scope.ts';
import { mapInTurns, nextTurn } from '../../../src/platform/concurrency/event-loop-turns.ts';

/** How many pieces were worked on in each turn of the event loop until the work is done. */
async function piecesPerTurn(work: (count: () => void) => Promise<unknown>): Promise<number[]> {
  const counts: number[] = [];
  let [pieces, isDone] = [0, false];
  const done = work(() => {
    pieces += 1;
  }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await turn();
    counts.push(pieces);
    pieces = 0;
  }
  await done;
  return counts;
}

test('success: few items are mapped at once, many in turns and in their order', async () => {
  const items = Array.from({ length: 95 }, (_, index) => index);
  const doubled = items.map((item) => item * 2);
  let mapped: number[] = [];
  const few = mapInTurns(items.slice(0, 10), 10, (item) => mapped.push(item));
  expect(mapped).toHaveLength(10);
  await few;
  mapped = [];
  const counts = await piecesPerTurn(async (count) => {
    mapped = await mapInTurns(items, 10, (item) => {
      count();
      return item * 2;
    });
  });
  expect(mapped).toEqual(doubled);
  expect(Math.max(...counts)).toBe(10);
});

test('success: in one turn one of many works goes on, each in its turn', async () => {
  const order: string[] = [];
  const counts = await piecesPerTurn((count) =>
    Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        for (let piece = 0; piece < 3; piece += 1) {
          await nextTurn();
          order.push(name);
          count();
        }
      }),
    ),
  );
  expect(order.join('')).toBe('abcabcabc');
  expect(Math.max(...counts)).toBe(1);
});

test('failure: work whose client has left ends at its next turn, and others go on', async () => {
  const left = Deadline.in(60_000);
  let mapped = 0;
  const items = Array.from({ length: 100 }, (_, index) => index);
  const abandoned = withDeadline(left, () =>
    mapInTurns(items, 10, () => {
      mapped += 1;
      if (mapped === 15) left.abandon();
    }),
  );
  const other = mapInTurns(items, 10, (item) => item);
  await expect(abandoned).rejects.toThrow(DeadlineExceeded);
  expect(mapped).toBe(20);
  expect(await other).toEqual(items);
});
