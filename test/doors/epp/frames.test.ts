import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, FrameReader, InvalidFrame } from '../../../src/doors/epp/wire/frame-reader.ts';
import { computed } from '../../support/running-time.ts';

const MIB = 1024 * 1024;
const LIMIT = 12 * MIB;
const header = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(bytes);
  return buffer;
};

test('success: frames are found wherever the stream is split', () => {
  const cases = fc.tuple(
    fc.array(fc.string({ minLength: 1, unit: 'grapheme' })),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
  );
  fc.assert(
    fc.property(cases, ([documents, sizes]) => {
      const stream = Buffer.concat(documents.map(encodeFrame));
      const reader = new FrameReader();
      const found: string[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        reader.push(Buffer.from(stream.subarray(at, at + size)));
        at += size;
        for (let frame = reader.next(LIMIT); frame; frame = reader.next(LIMIT)) found.push(frame.toString());
      }
      expect(found).toEqual(documents);
      expect(reader.length).toBe(0);
    }),
    { seed: 21, numRuns: 300 },
  );
});

test('success: several frames of one chunk are taken one by one, also with pushes in between', () => {
  const reader = new FrameReader();
  reader.push(Buffer.concat([encodeFrame('a'), encodeFrame('bc'), encodeFrame('def').subarray(0, 5)]));
  const first = reader.next(LIMIT);
  reader.push(encodeFrame('def').subarray(5));
  expect([first, reader.next(LIMIT), reader.next(LIMIT), reader.next(LIMIT)].map(String)).toEqual([
    'a',
    'bc',
    'def',
    'undefined',
  ]);
});

test.each([0, 1, 4, 101, 0x7fffffff, 0xffffffff])('failure: a length of %i is refused', (bytes) => {
  const reader = new FrameReader();
  reader.push(header(bytes));
  expect(() => reader.next(100)).toThrow(InvalidFrame);
});

test('success: the limit itself is accepted, and the current limit applies', () => {
  const reader = new FrameReader();
  reader.push(encodeFrame('x'.repeat(96)));
  expect(() => reader.next(99)).toThrow(InvalidFrame);
  expect(reader.next(100)?.toString()).toBe('x'.repeat(96));
});

test('success: a large frame in small pieces takes memory as it arrives, and time in proportion', () => {
  const reader = new FrameReader();
  const before = process.memoryUsage().arrayBuffers;
  reader.push(header(LIMIT));
  reader.push(Buffer.from('x'));
  expect(reader.next(LIMIT)).toBeUndefined();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB);
  const piece = Buffer.alloc(100, 'x');
  const milliseconds = computed(() => {
    for (let sent = 5; sent < LIMIT; sent += piece.length)
      reader.push(sent + piece.length > LIMIT ? piece.subarray(0, LIMIT - sent) : piece);
    expect(reader.next(LIMIT)?.length).toBe(LIMIT - 4);
  });
  // Copying all of it for each of 126,000 pieces would take minutes.
  expect(milliseconds).toBeLessThan(3_000);
});
