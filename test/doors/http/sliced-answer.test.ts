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
