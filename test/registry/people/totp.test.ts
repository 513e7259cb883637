import { describe, expect, test } from 'vitest';
import {
  base32,
  newTotpSecret,
  totpAddress,
  totpCode,
  totpStepAt,
  totpStepOf,
} from '../../../src/registry/people/totp.ts';

/** RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');

describe('time-based codes', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('success: as in the RFC, %d seconds after the epoch', (seconds, code) => {
    const step = totpStepAt(new Date(seconds * 1_000));
    expect(totpCode(SECRET, step, 8)).toBe(code);
    expect(totpStepOf(SECRET, code.slice(2), new Date(seconds * 1_000))).toBe(step);
  });

  test('success: one step late or early, and no more', () => {
    const now = new Date('2031-03-04T05:06:07Z');
    const accepted = [-2, -1, 0, 1, 2].filter(
      (offset) => totpStepOf(SECRET, totpCode(SECRET, totpStepAt(now) + offset), now) !== undefined,
    );
    expect(accepted).toEqual([-1, 0, 1]);
  });

  test('failure: malformed codes', () => {
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '-12345'])
      expect(totpStepOf(SECRET, code, new Date())).toBeUndefined();
  });
});

test('success: base32 as RFC 4648 has it', () => {
  const vectors = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  expect(vectors.map((_, length) => base32(Buffer.from('foobar'.slice(0, length))))).toEqual(vectors);
});

test('success: an app reads the key, the person and the issuer', () => {
  const secret = newTotpSecret();
  const { protocol, host, pathname, searchParams } = new URL(totpAddress(secret, 'a+b@example.ee'));
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Cadastre:a+b@example.ee',
  ]);
  expect(Object.fromEntries(searchParams)).toEqual({
    secret: base32(secret),
    issuer: 'Cadastre',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
