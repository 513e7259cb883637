import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { replacePassword } from '../../../src/registry/users/replace-password.ts';
import { Client } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

const derivations = { count: 0 };
const { argon2 } = crypto;
/** For every importer, also one that was loaded before this test. */
function replaceArgon2(by: typeof argon2): void {
  Object.assign(crypto, { argon2: by });
  syncBuiltinESMExports();
}

let registry: TestRegistry;
beforeAll(async () => {
  replaceArgon2((...given: Parameters<typeof argon2>) => {
    derivations.count += 1;
    argon2(...given);
  });
  registry = await startRegistry();
});
afterAll(async () => {
  replaceArgon2(argon2);
  await registry.stop();
});

async function newUser(): Promise<string> {
  const username = freshCode();
  const user = { username, registrar: 'ALPHA', roles: ['epp'] as const, password: 'the first password' };
  await carryOut(registry.sql, createUser, user, operator());
  return username;
}

/** A user whose first password is still valid beside the second one. */
async function userWithTwoPasswords(): Promise<string> {
  const username = await newUser();
  const oldUntil = new Date(Date.now() + 3_600_000);
  const replacement = { username, password: 'the second password', oldUntil };
  await carryOut(registry.sql, replacePassword, replacement, operator());
  return username;
}

describe('a login costs one derivation', () => {
  const login = async (username: string, password: string) =>
    (await new Client(registry.url, `${username}:${password}`).get('/contacts')).status;

  test.each<[string, () => Promise<string>, string, number]>([
    ['an unknown username', async () => freshCode(), 'wrong', 401],
    ['one password, a wrong one', newUser, 'wrong', 401],
    ['one password, the right one', newUser, 'the first password', 200],
    ['two passwords, a wrong one', userWithTwoPasswords, 'wrong', 401],
    ['two passwords, the old one', userWithTwoPasswords, 'the first password', 200],
    ['two passwords, the new one', userWithTwoPasswords, 'the second password', 200],
  ])('success: %s', async (_what, user, password, status) => {
    const username = await user();
    derivations.count = 0;
    expect([await login(username, password), derivations.count]).toEqual([status, 1]);
  });

  test('success: passwords that are changed concurrently still share a salt', async () => {
    const username = await newUser();
    const oldUntil = new Date(Date.now() + 3_600_000);
    const passwords = ['one', 'two', 'three'].map((word) => `the password ${word}`);
    await Promise.all(
      passwords.map((password) =>
        carryOut(registry.sql, replacePassword, { username, password, oldUntil }, operator()),
      ),
    );
    derivations.count = 0;
    expect([await login(username, 'wrong'), derivations.count]).toEqual([401, 1]);
    const statuses = await Promise.all(passwords.map((password) => login(username, password)));
    expect(statuses.toSorted()).toEqual([200, 200, 401]);
  });
});
