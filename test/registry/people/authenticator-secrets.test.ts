import { describe, expect, test } from 'vitest';
import {
  authenticatorKeys,
  encryptSecret,
  readSecret,
} from '../../../src/registry/people/authenticator-secrets.ts';
import { newTotpSecret } from '../../../src/registry/people/totp.ts';

const keysOf = (consoleSecret?: string, consoleSecretPrevious?: string) =>
  authenticatorKeys({ consoleSecret, consoleSecretPrevious });
const NEW = 'the-secret-of-today';
const OLD = 'the-secret-of-before';
const PERSON = 7;
const secret = newTotpSecret();

function encrypted(consoleSecret = NEW): Buffer {
  const { current } = keysOf(consoleSecret);
  if (!current) throw new Error('no key');
  return encryptSecret(current, PERSON, secret);
}

describe('secrets of authenticator apps', () => {
  test('success: encrypted, each time differently, and read again', () => {
    const [first, second] = [encrypted(), encrypted()];
    expect(first.includes(secret)).toBe(false);
    expect(first.equals(second)).toBe(false);
    for (const stored of [first, second])
      expect(readSecret(keysOf(NEW), PERSON, stored)).toEqual({ secret, isCurrent: true });
  });

  test('success: one of the previous key, and one in clear text, are read and marked for re-encryption', () => {
    expect(readSecret(keysOf(NEW, OLD), PERSON, encrypted(OLD))).toEqual({ secret, isCurrent: false });
    expect(readSecret(keysOf(undefined, OLD), PERSON, encrypted(OLD))).toEqual({ secret, isCurrent: false });
    for (const keys of [keysOf(NEW), keysOf()])
      expect(readSecret(keys, PERSON, secret)).toEqual({ secret, isCurrent: false });
  });

  test('failure: without the key, for another person, and with any byte changed or missing', () => {
    for (const keys of [keysOf(), keysOf(OLD), keysOf(OLD, OLD)])
      expect(readSecret(keys, PERSON, encrypted())).toBeUndefined();
    expect(readSecret(keysOf(NEW), PERSON + 1, encrypted())).toBeUndefined();
    const stored = encrypted();
    for (let index = 0; index < stored.length; index += 1) {
      const changed = Buffer.from(stored);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(readSecret(keysOf(NEW), PERSON, changed)).toBeUndefined();
    }
    for (const length of [0, 19, 21, stored.length - 1])
      expect(readSecret(keysOf(NEW), PERSON, stored.subarray(0, length))).toBeUndefined();
  });
});
