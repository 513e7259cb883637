import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { handshakeBounds } from '../../src/platform/handshake-bounds.ts';

test('failure: more than a ClientHello before an answer, or than a short chain of certificates after it', () => {
  const socket = { bytesWritten: 0 };
  const { mayReceive, mayHandOn, mayCarryCertificate } = handshakeBounds(socket as Socket);
  expect([mayReceive(16_384), mayReceive(16_385)]).toEqual([true, false]);
  expect(mayCarryCertificate(8_000)).toBe(false);
  expect([mayHandOn(8_193), mayHandOn(8_192), mayHandOn(2_000)]).toEqual([false, true, true]);
  socket.bytesWritten = 1_000;
  expect([mayHandOn(7_120), mayHandOn(7_121)]).toEqual([true, false]);
  expect([mayCarryCertificate(2_512), mayCarryCertificate(2_513)]).toEqual([false, true]);
  // A client whose handshake is complete on its side may have sent more than that.
  expect(mayReceive(100_000)).toBe(true);
});
