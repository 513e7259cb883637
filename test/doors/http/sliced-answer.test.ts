import { once } from 'node:events';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SlicedAnswer } from '../../../src/doors/http/sliced-answer.ts';

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_byte, index) => index % 251));

test('success: all of an answer arrives, also of an empty one', async () => {
  expect((await buffer(new SlicedAnswer(bytes))).equals(bytes)).toBe(true);
  expect(await buffer(new SlicedAnswer(Buffer.alloc(0)))).toHaveLength(0);
});

test('success: a client that does not read is handed two slices', async () => {
  let taken = 0;
  const silent = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer) => {
      taken += chunk.length;
    },
  });
  const answer = new SlicedAnswer(bytes).pipe(silent);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(taken + answer.writableLength).toBeLessThanOrEqual(2 * 16_384);
});

test('success: of many answers that are wanted at once some are handed on in a turn of the event loop', async () => {
  const answers = Array.from({ length: 100 }, () => new SlicedAnswer(bytes));
  const slices = answers.length * Math.ceil(bytes.length / 16_384);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  /** As if a slice were encrypted. */
  const spend = () => {
    const until = performance.now() + 0.2;
    while (performance.now() < until);
  };
  await Promise.all(
    answers.map((answer) => {
      answer.on('data', spend);
      return once(answer, 'end');
    }),
  );
  isOver = true;
  expect(turns).toBeGreaterThan(slices / 10);
});
