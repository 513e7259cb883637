import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut, type OperatorContext } from '../../../src/operations/operator-operation.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { disableUser } from '../../../src/registry/users/disable-user.ts';
import { dropOldPassword } from '../../../src/registry/users/drop-old-password.ts';
import { replacePassword } from '../../../src/registry/users/replace-password.ts';
import { setUserRoles } from '../../../src/registry/users/set-user-roles.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let ofBeta: OperatorContext;
beforeAll(async () => {
  registry = await startRegistry();
  const { id } = await registry.sql.one(sql<{ id: number }>`select id from registrars where code = 'BETA'`);
  ofBeta = operator({ actor: 'person:b@beta.example', registrarId: id });
});
afterAll(() => registry.stop());

const username = 'alpha';
const password = 'a password of its own';
const refusedWith = (name: string) => ({ refusals: [{ name }] });

describe('users of another registrar', () => {
  const db = () => registry.sql;
  test.each([
    ['disabled', () => carryOut(db(), disableUser, { username, isDisabled: true }, ofBeta)],
    ['given roles', () => carryOut(db(), setUserRoles, { username, roles: ['epp'] }, ofBeta)],
    ['left with one password', () => carryOut(db(), dropOldPassword, { username }, ofBeta)],
    [
      'given a password',
      () => carryOut(db(), replacePassword, { username, password, oldUntil: undefined }, ofBeta),
    ],
  ])('failure: cannot be %s', async (_, change) => {
    const read = () =>
      db().one(sql`select version, roles, password_hash from api_users where username = ${username}`);
    const before = await read();
    await expect(change()).rejects.toMatchObject(refusedWith('userMissing'));
    expect(await read()).toEqual(before);
  });

  test('failure: cannot be created', async () => {
    const user = { username: 'another', registrar: 'ALPHA', roles: ['epp'], password } as const;
    await expect(carryOut(db(), createUser, user, ofBeta)).rejects.toMatchObject(
      refusedWith('userRegistrarMissing'),
    );
  });
});

test('failure: a user needs a username, and a password of some length', async () => {
  const user = { username: 'a b', registrar: 'ALPHA', roles: ['epp'], password: 'short' } as const;
  await expect(carryOut(registry.sql, createUser, user, operator())).rejects.toMatchObject({
    refusals: [{ name: 'usernameInvalid' }, { name: 'userPasswordLength' }],
  });
});

test('success: a dry run creates nobody', async () => {
  const user = { username: 'tried', registrar: 'ALPHA', roles: ['epp'], password } as const;
  const dry = operator({ dryRun: true });
  expect(await carryOut(registry.sql, createUser, user, dry)).toEqual({
    username: 'tried',
    registrar: 'ALPHA',
    roles: ['epp'],
  });
  expect(await registry.sql.rows(sql`select from api_users where username = 'tried'`)).toEqual([]);
});

describe('a registrar with fifty users', () => {
  const password = 'a password of its own';
  const another = { username: 'beta-51', registrar: 'BETA', roles: ['epp'], password } as const;
  const tooMany = { refusals: [{ name: 'tooManyUsers', values: { registrar: 'BETA', most: 50 } }] };
  beforeAll(async () => {
    await registry.sql.run(sql`
      insert into api_users (registrar_id, username, roles, password_hash, created_at)
      select id, 'beta-' || number, '{epp}', 'none', now() from registrars, generate_series(2, 50) as number where code = 'BETA'`);
  });

  test('failure: cannot make another one; the registry can', async () => {
    await expect(carryOut(registry.sql, createUser, another, ofBeta)).rejects.toMatchObject(tooMany);
    expect(await carryOut(registry.sql, createUser, another, operator({ dryRun: true }))).toMatchObject({
      username: 'beta-51',
    });
  });

  test('failure: cannot let one in that is shut out, beside fifty others', async () => {
    await carryOut(registry.sql, disableUser, { username: 'beta-2', isDisabled: true }, ofBeta);
    await carryOut(registry.sql, createUser, another, ofBeta);
    const letIn = { username: 'beta-2', isDisabled: false };
    await expect(carryOut(registry.sql, disableUser, letIn, ofBeta)).rejects.toMatchObject(tooMany);
    await carryOut(registry.sql, disableUser, { username: 'beta-51', isDisabled: true }, ofBeta);
    expect(await carryOut(registry.sql, disableUser, letIn, ofBeta)).toEqual(letIn);
  });
});
