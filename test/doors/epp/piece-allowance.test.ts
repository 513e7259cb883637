import { expect, test } from 'vitest';
import { PieceAllowance } from '../../../src/doors/epp/wire/piece-allowance.ts';

/** How many pieces are taken until one is refused. */
function taken(pieces: number, bytes: number, msBetween: number): number {
  const allowance = new PieceAllowance(0);
  for (let piece = 0; piece < pieces; piece += 1) if (!allowance.take(bytes, piece * msBetween)) return piece;
  return pieces;
}

test('success: frames in pieces of some bytes, and what is typed', () => {
  expect(taken(1_000, 1, 0)).toBe(1_000);
  expect(taken(100_000, 64, 0)).toBe(100_000);
  expect(taken(100_000, 1, 1)).toBe(100_000);
});

test('success: who rests, or sends larger pieces, may send small ones again', () => {
  const allowance = new PieceAllowance(0);
  const send = (count: number, bytes: number, now: number) =>
    Array.from({ length: count }, () => allowance.take(bytes, now)).every(Boolean);
  expect(send(1_000, 1, 0)).toBe(true);
  expect(send(1_000, 1, 1_000)).toBe(true);
  expect(send(10, 16_384, 1_000)).toBe(true);
  expect(send(1_000, 1, 1_000)).toBe(true);
});

test('failure: thousands of tiny pieces at once, or many in each millisecond', () => {
  expect(taken(100_000, 1, 0)).toBeLessThan(1_100);
  expect(taken(100_000, 32, 0)).toBeLessThan(2_100);
  expect(taken(100_000, 1, 0.1)).toBeLessThan(1_200);
});
