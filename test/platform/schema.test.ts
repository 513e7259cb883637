import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { readCatalogue } from '../../src/platform/migrations/catalogue.ts';
import { type Database, type Owner, openDatabase } from '../../src/platform/database/database.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { createTestDatabase } from '../support/registry.ts';
import { describeSchema } from './schema-catalogue.ts';

let owner: Owner;
let application: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  const target = { ...inject('server'), database: database.name };
  owner = await connectAsOwner(target);
  application = openDatabase(target, readConfig('sandbox', {}), 'Europe/Tallinn');
  drop = database.drop;
});
afterAll(async () => {
  await Promise.all([owner.close(), application.close()]);
  await drop();
});

/** The SQLSTATE and, where there is one, the constraint that a statement ends in. */
async function endOf(db: Owner | Database['writes'], statement: string): Promise<string[]> {
  const error: { code: string; constraint?: string } | undefined = await db.script(statement).then(
    () => undefined,
    (reason) => reason,
  );
  return error ? [error.code, ...(error.constraint ? [error.constraint] : [])] : ['done'];
}

const DENIED = ['42501'];

test('success: the schema equals the recorded one', async () => {
  await expect(await describeSchema(owner)).toMatchFileSnapshot('../../docs/schema.txt');
  await expect(`${JSON.stringify(await readCatalogue(owner), null, 2)}\n`).toMatchFileSnapshot(
    '../../migrations/catalogue.json',
  );
});

describe('privileges that the application does not have', () => {
  test.each(['history', 'ledger_entries'])('failure: %s cannot be rewritten', async (table) => {
    for (const statement of [
      `update ${table} set actor = 'nobody'`,
      `update ${table} set id = default`,
      `delete from ${table}`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
      `merge into ${table} t using (values (1)) as v(id) on t.id = v.id when matched then delete`,
      `insert into ${table} overriding system value select * from ${table} on conflict (id) do update set actor = 'nobody'`,
    ]) {
      expect([statement, await endOf(application.writes, statement)]).toEqual([statement, DENIED]);
    }
  });

  test('failure: the record of migrations cannot be written', async () => {
    for (const statement of [
      `insert into schema_migrations values (9999, 'smuggled', 'x', now())`,
      `update schema_migrations set checksum = 'x'`,
      `delete from schema_migrations`,
      `truncate schema_migrations`,
    ]) {
      expect([statement, await endOf(application.writes, statement)]).toEqual([statement, DENIED]);
    }
  });

  test('failure: the installation cannot be created or deleted', async () => {
    for (const statement of [
      `insert into installation (kind, created_at) values ('production', now())`,
      `delete from installation`,
      `truncate installation`,
    ]) {
      expect([statement, await endOf(application.writes, statement)]).toEqual([statement, DENIED]);
    }
  });

  test('failure: the schema itself cannot be changed', async () => {
    for (const statement of [
      'create table extra (id int)',
      'alter table ledger_accounts drop constraint ledger_balance_covers',
      'alter table history disable trigger all',
      'drop table contacts',
    ]) {
      expect([statement, await endOf(application.writes, statement)]).toEqual([statement, DENIED]);
    }
    await endOf(application.writes, 'grant update on history to cadastre_app'); // a warning, and no effect
    expect(await endOf(application.writes, `update history set actor = 'nobody'`)).toEqual(DENIED);
  });

  test('success: it may add to history and ledger, and switch maintenance', async () => {
    for (const statement of [
      `insert into history (at, object_kind, object_id, object_name, operation, actor)
        values (now(), 'contact', 1, 'x', 'create', 'test')`,
      `insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor)
        select now(), a.id, b.id, 1, 'x', 'x', 'test' from ledger_accounts a, ledger_accounts b where a.id <> b.id limit 1`,
      `update installation set maintenance_since = null`,
    ]) {
      expect([statement, await endOf(application.writes, statement)]).toEqual([statement, ['done']]);
    }
  });
});

describe('constraints for every writer', () => {
  const contact = (code: string, changes = '') => `
    insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code,
      auth_info, created_at, updated_at ${changes && ', statuses'})
    select id, '${code}', lower('${code}'), 'N', 'n', 'a@b.ee', '+372.1', '1', 'priv', 'EE', 'x', now(), now() ${changes && `, '${changes}'`}
    from registrars where code = 'ALPHA'`;
  const entry = (debit: string, credit: string, amount: number) => `
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor)
    values (now(), (${debit}), (${credit}), ${amount}, 'x', 'x', 'test')`;
  const opening = `select id from ledger_accounts where kind = 'opening'`;
  const payments = `select id from ledger_accounts where kind = 'payments'`;

  test('failure: no balance falls below zero', async () => {
    expect(await endOf(owner, 'update ledger_accounts set balance = -1 where balance is not null')).toEqual([
      '23514',
      'ledger_balance_covers',
    ]);
  });

  test('failure: an entry moves an amount above zero between two different accounts', async () => {
    expect(await endOf(owner, entry(opening, payments, 0))).toEqual(['23514', 'ledger_entries_amount_check']);
    expect(await endOf(owner, entry(opening, payments, -1))).toEqual([
      '23514',
      'ledger_entries_amount_check',
    ]);
    expect(await endOf(owner, entry(opening, opening, 1))).toEqual(['23514', 'ledger_entries_check']);
    expect(await endOf(owner, entry(opening, 'select 999999', 1))).toEqual([
      '23503',
      'ledger_entries_credit_account_fkey',
    ]);
    expect(await endOf(owner, entry(opening, payments, 1))).toEqual(['done']);
  });

  test('failure: a contact code is unique, ignoring case', async () => {
    expect(await endOf(owner, contact('Schema-One'))).toEqual(['done']);
    expect(await endOf(owner, contact('SCHEMA-ONE'))).toEqual(['23505', 'contacts_code_key_key']);
    expect(await endOf(owner, contact('schema-one'))).toEqual(['23505', 'contacts_code_key_key']);
  });

  const domain = (name: string, code: string) => `
    insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
    select '${name}', 'ee', registrar_id, id, 'a-transfer-code', now(), now(), now() from contacts where code = '${code}'`;
  const reservation = (name: string) =>
    `insert into reserved_names (name, code, created_at) values ('${name}', 'a-code', now())`;

  test('failure: a name has one owner', async () => {
    await owner.script(contact('schema-owner'));
    expect(await endOf(owner, domain('schema-owned.ee', 'schema-owner'))).toEqual(['done']);
    expect(await endOf(owner, domain('schema-owned.ee', 'schema-owner'))).toEqual([
      '23505',
      'domains_name_key',
    ]);
  });

  test('failure: a name that is registered is not reserved', async () => {
    await owner.script(contact('schema-holder'));
    expect(await endOf(owner, domain('schema-registered.ee', 'schema-holder'))).toEqual(['done']);
    expect(await endOf(owner, reservation('schema-registered.ee'))).toEqual(['40001']);
  });

  test('failure: a name that is reserved is not registered', async () => {
    await owner.script(contact('schema-late'));
    expect(await endOf(owner, reservation('schema-reserved.ee'))).toEqual(['done']);
    expect(await endOf(owner, domain('schema-reserved.ee', 'schema-late'))).toEqual(['40001']);
  });

  test('failure: computed statuses are never stored', async () => {
    expect(await endOf(owner, contact('schema-two', '{"ok": ""}'))).toEqual([
      '23514',
      'contacts_statuses_check',
    ]);
  });

  test('failure: there is one installation, and a production clock is never ahead', async () => {
    const second = (value: string) =>
      `insert into installation (only_row, kind, created_at) values (${value}, 'sandbox', now())`;
    expect(await endOf(owner, second('true'))).toEqual(['23505', 'installation_pkey']);
    expect(await endOf(owner, second('false'))).toEqual(['23514', 'installation_only_row_check']);
    expect(await endOf(owner, `update installation set kind = 'production', clock_offset = '1 day'`)).toEqual(
      ['23514', 'installation_check'],
    );
  });

  test('failure: a user has at least one role, and only known ones', async () => {
    for (const roles of ['{}', '{super,root}'])
      expect(await endOf(owner, `update api_users set roles = '${roles}'`)).toEqual([
        '23514',
        'api_users_roles_check',
      ]);
  });
});
