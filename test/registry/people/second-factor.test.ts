import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import { LoginLimits } from '../../../src/registry/access/login-limits.ts';
import { PasswordVerifications } from '../../../src/registry/access/passwords.ts';
import {
  authenticatorKeys,
  encryptSecret,
  readSecret,
} from '../../../src/registry/people/authenticator-secrets.ts';
import { countSecrets } from '../../../src/registry/people/count-secrets.ts';
import { encryptSecrets } from '../../../src/registry/people/encrypt-secrets.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../../../src/registry/people/recovery-codes.ts';
import { askForCode, verifyCode } from '../../../src/registry/people/second-factor.ts';
import { newTotpSecret } from '../../../src/registry/people/totp.ts';
import { codeNow, PEOPLE } from '../../support/console.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let [alpha, beta] = [0, 0];
beforeAll(async () => {
  registry = await startRegistry();
  [alpha, beta] = [await idOf(PEOPLE.alpha[0]), await idOf(PEOPLE.beta[0])];
});
afterAll(() => registry.stop());
beforeEach(async () => {
  await registry.sql.run(sql`update people set totp_secret = null, totp_last_step = null`);
  await registry.sql.run(sql`delete from login_steps`);
});

const keysOf = (consoleSecret?: string, consoleSecretPrevious?: string) => {
  const { current, previous } = authenticatorKeys({ consoleSecret, consoleSecretPrevious });
  if (!current) throw new Error('no key');
  return { current, previous };
};
const NONE = authenticatorKeys({ consoleSecret: undefined, consoleSecretPrevious: undefined });
const [NEW, OLD] = [keysOf('the-secret-of-today'), keysOf('the-secret-of-before')];
const ROTATION = { current: NEW.current, previous: OLD.current };

const idOf = async (email: string): Promise<number> =>
  (await registry.sql.one(sql<{ id: number }>`select id from people where email_key = ${email}`)).id;
const store = (personId: number, secret: Buffer) =>
  registry.sql.run(sql`update people set totp_secret = ${secret} where id = ${personId}`);
const storedOf = async (personId: number): Promise<Buffer> =>
  (
    await registry.sql.one(
      sql<{ stored: Buffer }>`select totp_secret as stored from people where id = ${personId}`,
    )
  ).stored;

async function logIn(personId: number, keys: typeof NONE, code: string) {
  const now = new Date();
  const token = await askForCode(registry.sql, personId, '/console', now);
  const attempt = { token, code, address: '192.0.2.1' };
  const limits = new LoginLimits(100, new PasswordVerifications(wallClock));
  return verifyCode(registry.sql, keys, limits, attempt, now);
}
const BY_CODE = { factor: 'password and code' };

test('success: a secret in clear text, or of the previous key, logs in and is encrypted by that', async () => {
  const secret = newTotpSecret();
  for (const [index, before] of [secret, encryptSecret(OLD.current, alpha, secret)].entries()) {
    await store(alpha, before);
    expect(await logIn(alpha, ROTATION, codeNow(secret, index))).toMatchObject(BY_CODE);
    expect(readSecret(NEW, alpha, await storedOf(alpha))).toEqual({ secret, isCurrent: true });
  }
});

test('success: a login stores an encrypted secret as it was, and one in clear text where there is no key', async () => {
  const secret = newTotpSecret();
  const encrypted = encryptSecret(NEW.current, alpha, secret);
  await store(alpha, encrypted);
  expect(await logIn(alpha, ROTATION, codeNow(secret))).toMatchObject(BY_CODE);
  expect(await storedOf(alpha)).toEqual(encrypted);
  await store(alpha, secret);
  expect(await logIn(alpha, NONE, codeNow(secret, 1))).toMatchObject(BY_CODE);
  expect(await storedOf(alpha)).toEqual(secret);
});

test("failure: another key, no key and another person's secret are distinguished from a wrong code; recovery codes still log in", async () => {
  const secret = newTotpSecret();
  await store(alpha, encryptSecret(NEW.current, alpha, secret));
  await store(beta, await storedOf(alpha));
  expect(await logIn(alpha, OLD, codeNow(secret))).toBe('unreadable secret');
  expect(await logIn(alpha, NONE, codeNow(secret))).toBe('unreadable secret');
  expect(await logIn(beta, NEW, codeNow(secret))).toBe('unreadable secret');
  await expect(logIn(alpha, NEW, codeNow(secret, 9))).rejects.toThrow();
  const [code = ''] = newRecoveryCodes();
  await registry.sql.run(sql`
    insert into recovery_codes (person_id, code_hash, created_at) values (${alpha}, ${recoveryCodeHash(code)}, now())`);
  await expect(logIn(alpha, OLD, `${code.slice(0, -1)}1`)).rejects.toThrow();
  expect(await logIn(alpha, OLD, code)).toMatchObject({ factor: 'password and recovery code' });
});

test('success: all at once, except for unreadable ones', async () => {
  const [secret, foreign] = [newTotpSecret(), encryptSecret(NEW.current, alpha, newTotpSecret())];
  await store(alpha, secret);
  await store(beta, foreign);
  expect(await countSecrets(registry.sql, NEW)).toEqual({ current: 0, outdated: 1, unreadable: 1 });
  const encrypt = () => carryOut(registry.sql, encryptSecrets, { keys: NEW }, operator());
  expect(await encrypt()).toEqual({ encrypted: 1 });
  expect(await encrypt()).toEqual({ encrypted: 0 });
  expect(
    await registry.sql.rows(sql`
      select object_id as id from history where object_kind = 'person' and operation = 'encrypt secret of authenticator app'`),
  ).toEqual([{ id: alpha }]);
  expect(await countSecrets(registry.sql, NEW)).toEqual({ current: 1, outdated: 0, unreadable: 1 });
  expect(await countSecrets(registry.sql, ROTATION)).toEqual({ current: 1, outdated: 0, unreadable: 1 });
  expect(await storedOf(beta)).toEqual(foreign);
  expect(await logIn(alpha, NEW, codeNow(secret))).toMatchObject(BY_CODE);
});
