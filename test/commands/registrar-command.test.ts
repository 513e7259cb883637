import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

let database: DroppableDatabase;
const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: database.url } });
beforeAll(async () => {
  database = await openProductionDatabase();
  await run('registrar', 'create', 'FIRST', '--name', 'First Registrar', '--email', 'first@example.ee');
});
afterAll(() => database.drop());

const first = {
  code: 'FIRST',
  name: 'First Registrar',
  website: '',
  email: 'first@example.ee',
  phone: null,
  abuseEmail: null,
  abusePhone: null,
  status: 'active',
  users: 0,
  contacts: 0,
  domains: 0,
  balance: '0.00',
  debt: '0.00',
  currency: 'EUR',
  lowBalance: null,
  topUp: null,
  topUpAt: null,
  compatibility: false,
};

describe('cadastre registrar', () => {
  test('failure: a registrar that another session holds is a sentence, and nothing is changed', async () => {
    const held = await database.sql.begin(async (transaction) => {
      await transaction.run(sql`select from registrars where code = 'FIRST' for update`);
      return cadastre(['registrar', 'update', 'FIRST', '--email', 'other@example.ee'], {
        env: { DATABASE_URL: database.url, LOCK_TIMEOUT_MS: '100' },
      });
    });
    expect(held).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Another session holds what is to be changed for longer than LOCK_TIMEOUT_MS \(.+\); nothing was changed\. .+\n$/,
      ),
    });
    expect((await run('registrar', 'list', '--json')).stdout).toContain('first@example.ee');
  });

  test('success: list as a table and as JSON', async () => {
    const table = await run('registrar', 'list');
    expect(table).toMatchObject({ code: 0, stderr: '' });
    const [heading, line] = table.stdout.split('\n');
    expect(heading).toMatch(/^CODE +NAME +STATUS +USERS +CONTACTS +DOMAINS +BALANCE$/);
    expect(line).toMatch(/^FIRST +First Registrar +active +0 +0 +0 +0\.00$/);
    const json = await run('registrar', 'list', '--json');
    expect(JSON.parse(json.stdout)).toContainEqual(first);
  });

  test('success: show as fields and as JSON', async () => {
    const shown = await run('registrar', 'show', 'FIRST');
    expect(shown.stdout.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^name {2,}First Registrar$/),
        expect.stringMatching(/^email {2,}first@example\.ee$/),
      ]),
    );
    expect(JSON.parse((await run('registrar', 'show', 'FIRST', '--json')).stdout)).toEqual(first);
  });

  test('success: create names the next step, and history has actor, action and reason', async () => {
    const created = await run(
      'registrar',
      'create',
      'NEXT',
      '--name',
      'Õun & Pojad',
      '--website',
      'https://n.ee',
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toContain('cadastre user create <username> --registrar NEXT');
    for (const website of ['n.ee', 'javascript:alert(1)', 'ftp://n.ee'])
      for (const command of [
        ['create', 'WEBLESS', '--name', 'No Site'],
        ['update', 'NEXT'],
      ]) {
        const { code, stderr } = await run('registrar', ...command, '--website', website);
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^--website is an address such as/)]);
      }
    expect((await run('registrar', 'suspend', 'NEXT', '--reason', 'unpaid bills')).code).toBe(0);
    expect(JSON.parse((await run('registrar', 'show', 'NEXT', '--json')).stdout)).toMatchObject({
      name: 'Õun & Pojad',
      website: 'https://n.ee',
      status: 'suspended',
    });
    expect((await run('registrar', 'activate', 'NEXT')).stdout).toBe('Registrar NEXT is active.\n');
    expect(await database.sql.rows(sql`select suspended_at from registrars where code = 'NEXT'`)).toEqual([
      { suspended_at: null },
    ]);
    const history = await database.sql.rows(sql`
      select operation, reason, actor from history where object_kind = 'registrar' and object_name = 'NEXT' order by id`);
    expect(history.map(({ operation, reason }) => [operation, reason])).toEqual([
      ['create', null],
      ['suspend', 'unpaid bills'],
      ['activate', null],
    ]);
    for (const { actor } of history) expect(actor).toMatch(/^operator:\S+$/);
  });

  test('success: public contact data are set, changed, removed and recorded in history', async () => {
    const contact = { phone: '+372.6123456', abuseEmail: 'abuse@reach.example', abusePhone: '+372.6123457' };
    const given = ['--phone', contact.phone, '--abuse-email', contact.abuseEmail, '--abuse-phone'];
    const created = await run(
      'registrar',
      'create',
      'REACH',
      '--name',
      'Reach',
      ...given,
      contact.abusePhone,
      '--json',
    );
    expect(JSON.parse(created.stdout)).toMatchObject(contact);
    await run('registrar', 'update', 'REACH', '--abuse-phone', 'none', '--phone', '+372.6123458');
    const { stdout } = await run('registrar', 'show', 'REACH', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ...contact, phone: '+372.6123458', abusePhone: null });
    expect((await run('history', 'REACH')).stdout).toMatch(
      / update, by .*\n +phone: "\+372\.6123456" → "\+372\.6123458"\n +abuse_phone: "\+372\.6123457" → null/,
    );
  });

  test('success: update changes the given fields and leaves the rest; history has both', async () => {
    await run('registrar', 'create', 'OLD', '--name', 'Old', '--website', 'https://o.ee', '--reason', 'new');
    const updated = await run('registrar', 'update', 'OLD', '--name', 'New', '--email', 'n@example.ee');
    expect(updated).toEqual({ code: 0, stdout: 'Registrar OLD is updated.\n', stderr: '' });
    const details = { name: 'New', website: 'https://o.ee', email: 'n@example.ee' };
    expect(JSON.parse((await run('registrar', 'show', 'OLD', '--json')).stdout)).toMatchObject(details);
    expect((await run('registrar', 'update', 'OLD', '--email', 'none')).code).toBe(0);
    const { stdout } = await run('history', 'OLD');
    expect(stdout).toMatch(/ create, by operator:\S+\n +why: new\n/);
    expect(stdout).toMatch(/ update, by .*\n +name: "Old" → "New"\n +email: null → "n@example\.ee"\n/);
    expect(stdout).toMatch(/email: "n@example\.ee" → null/);
  });

  test('success: the compatibility profile is switched on and off; history has both', async () => {
    const dry = await run('registrar', 'compatibility', 'FIRST', 'on', '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toEqual({ code: 'FIRST', compatibility: true, dryRun: true });
    expect(JSON.parse((await run('registrar', 'show', 'FIRST', '--json')).stdout)).toEqual(first);
    const on = await run('registrar', 'compatibility', 'FIRST', 'on', '--reason', 'a new client');
    expect(on.stdout).toBe('The compatibility profile of registrar FIRST is on.\n');
    expect(JSON.parse((await run('registrar', 'show', 'FIRST', '--json')).stdout).compatibility).toBe(true);
    expect((await run('registrar', 'compatibility', 'FIRST', 'off')).code).toBe(0);
    expect(JSON.parse((await run('registrar', 'show', 'FIRST', '--json')).stdout)).toEqual(first);
    expect((await run('history', 'FIRST')).stdout).toMatch(
      / set compatibility, by .*\n +why: a new client\n +compatibility: false → true\n/,
    );
  });

  test('failure: a code that is taken changes nothing', async () => {
    expect(await run('registrar', 'create', 'FIRST', '--name', 'Impostor')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is a registrar FIRST already.\n',
    });
    expect(await database.sql.rows(sql`select name from registrars where code = 'FIRST'`)).toEqual([
      { name: 'First Registrar' },
    ]);
  });

  test.each([
    ['a bad code', ['create', 'lower case', '--name', 'X'], /^A registrar code has .*\.\n$/],
    ['a code that EPP cannot show', ['create', 'AB', '--name', 'X'], /^A registrar code has 3 to 16 .*\.\n$/],
    ['a long code', ['create', 'SEVENTEEN_LETTERS', '--name', 'X'], /^A registrar code has 3 to 16 .*\.\n$/],
    ['an empty name', ['create', 'EMPTY', '--name', ''], /^A registrar['’]?s? .*name.*\.\n$/],
    ['showing an unknown one', ['show', 'NOBODY'], /^There is no registrar NOBODY\.\n$/],
    ['updating nothing', ['update', 'FIRST'], /^Give a new name, website, e-mail address, .*\.\n$/],
    ['a malformed phone number', ['update', 'FIRST', '--phone', '12'], /^--phone is a phone number .*\.\n$/],
    ['a malformed address', ['update', 'FIRST', '--abuse-email', 'x'], /^--abuse-email is an e-mail .*\.\n$/],
    ['an empty new name', ['update', 'FIRST', '--name', ' '], /^A registrar needs a name .*\.\n$/],
    ['updating an unknown one', ['update', 'NOBODY', '--name', 'X'], /^There is no registrar NOBODY\.\n$/],
    ['activating an unknown one', ['activate', 'NOBODY'], /^There is no registrar NOBODY\.\n$/],
    [
      'a profile that is neither on nor off',
      ['compatibility', 'FIRST', 'yes'],
      /^The compat.* is on or off\.\n$/,
    ],
    ['a profile of an unknown one', ['compatibility', 'NOBODY', 'on'], /^There is no registrar NOBODY\.\n$/],
    ['suspending an unknown one', ['suspend', 'NOBODY'], /^There is no registrar NOBODY\.\n$/],
  ])('failure: %s ends with 1 and one sentence', async (_what, args, sentence) => {
    const outcome = await run('registrar', ...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
  });

  test.each([
    ['no code', ['create']],
    ['no name', ['create', 'GAMMA']],
    ['an option without its value', ['create', 'GAMMA', '--name']],
    ['an unknown subcommand', ['burn', 'FIRST']],
  ])('failure: %s is a usage error, which ends with 2', async (_what, args) => {
    const outcome = await run('registrar', ...args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .+/);
  });
});
