import { expect, test } from 'vitest';
import { DUMMY_HASH, findMatchingHash, hashPassword } from '../../../src/registry/access/passwords.ts';

const verifyPassword = async (password: string, hash: string) =>
  (await findMatchingHash(password, [hash])) === hash;

test('success: a hash verifies its password and no other', async () => {
  const hash = await hashPassword('correct horse');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword('correct horse', hash)).toBe(true);
  expect(await verifyPassword('correct horsf', hash)).toBe(false);
  expect(await verifyPassword('', hash)).toBe(false);
});

test('success: two hashes of one password differ', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

test('success: agrees with a hash made by the reference implementation', async () => {
  // one of the test vectors of the argon2 project: "password", salt "somesalt"
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword('password', reference)).toBe(true);
});

test('failure: no password verifies for an unknown user', async () => {
  expect(await verifyPassword('', DUMMY_HASH)).toBe(false);
});

test('failure: a stored text that is no hash is a fault, not a mismatch', async () => {
  await expect(verifyPassword('x', 'plain text')).rejects.toThrow('PHC');
});

test('success: a second password shares salt and parameters with the first; a single one has its own salt', async () => {
  const saltOf = (hash: string) => hash.slice(0, hash.lastIndexOf('$'));
  const first = await hashPassword('the first');
  const [beside, alone] = [await hashPassword('the second', first), await hashPassword('the second')];
  expect(saltOf(beside)).toBe(saltOf(first));
  expect(saltOf(alone)).not.toBe(saltOf(first));
});

test('success: of several hashes the matching one is found, with one salt or with several', async () => {
  const first = await hashPassword('the first');
  for (const second of [await hashPassword('the second', first), await hashPassword('the second')]) {
    expect(await findMatchingHash('the first', [second, first])).toBe(first);
    expect(await findMatchingHash('the second', [second, first])).toBe(second);
    expect(await findMatchingHash('the third', [second, first])).toBeUndefined();
  }
});
