import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { operator } from '../support/operator.ts';

let database: DroppableDatabase;
const run = (args: readonly string[], stdin = '') =>
  cadastre(['user', ...args], { env: { DATABASE_URL: database.url }, stdin });
beforeAll(async () => {
  database = await openProductionDatabase();
  const registrar = { code: 'GAMMA', name: 'Gamma Registrar' };
  await carryOut(database.sql, createRegistrar, registrar, operator());
  await run(['create', 'gamma', '--registrar', 'GAMMA', '--roles', 'billing,epp']);
});
afterAll(() => database.drop());

describe('cadastre user', () => {
  test('success: list as a table and as JSON, of all and of one registrar', async () => {
    const gamma = {
      username: 'gamma',
      registrar: 'GAMMA',
      roles: ['epp', 'billing'],
      status: 'active',
      oldPasswordUntil: null,
    };
    const table = await run(['list']);
    expect(table.stdout).toMatch(/^USERNAME +REGISTRAR +ROLES +STATUS +OLD PASSWORD UNTIL\n/);
    expect(table.stdout).toMatch(/^gamma +GAMMA +epp, billing +active +-$/m);
    expect(JSON.parse((await run(['list', '--json'])).stdout)).toEqual([gamma]);
    expect(await run(['list', '--registrar', 'NOBODY'])).toEqual({ code: 0, stdout: '(none)\n', stderr: '' });
  });

  test('failure: a username that is taken', async () => {
    expect(await run(['create', 'gamma', '--registrar', 'GAMMA'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'User gamma was not made: username taken.\n',
    });
  });

  test.each([
    ['no such registrar', ['create', 'delta', '--registrar', 'NOBODY'], '', /no such registrar\.\n$/],
    ['a bad username', ['create', 'a b', '--registrar', 'GAMMA'], '', /^A username has .*\n$/],
    [
      'no such role',
      ['create', 'x', '--registrar', 'GAMMA', '--roles', 'king'],
      '',
      /^"king" is no role; .*\.\n$/,
    ],
    [
      'a short password',
      ['create', 'x', '--registrar', 'GAMMA', '--password-stdin'],
      'short\n',
      /^A password has 12 to 200 characters\.\n$/,
    ],
    ['a bad duration', ['password', 'gamma', '--keep-old', 'tomorrow'], '', /^--keep-old must be .*\.\n$/],
    ['a duration backwards', ['password', 'gamma', '--keep-old', '-P1D'], '', /^--keep-old must be .*\.\n$/],
    ['the password of an unknown user', ['password', 'nobody'], '', /^There is no user nobody\.\n$/],
    ['enabling an unknown user', ['enable', 'nobody'], '', /^There is no user nobody\.\n$/],
    ['roles of an unknown user', ['roles', 'nobody', 'epp'], '', /^There is no user nobody\.\n$/],
    [
      'dropping an old password without --yes',
      ['drop-old-password', 'gamma'],
      '',
      / add --yes if it is meant\.\n$/,
    ],
    [
      'a new password immediately, without --yes',
      ['password', 'gamma', '--keep-old', 'PT0S'],
      '',
      / add --yes if it is meant\.\n$/,
    ],
    ['disabling an unknown user', ['disable', 'nobody'], '', /^There is no user nobody\.\n$/],
  ])('failure: %s ends with 1 and one sentence', async (_what, args, stdin, sentence) => {
    const outcome = await run(args, stdin);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
  });

  test.each([
    ['no registrar', ['create', 'delta']],
    ['an unknown option', ['list', '--nonsense']],
  ])('failure: %s is a usage error, which ends with 2', async (_what, args) => {
    const outcome = await run(args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .+/);
  });
});
