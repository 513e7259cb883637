import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import type { Fragment } from '../../src/platform/sql/statement.ts';
import { alpha } from '../support/client.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
let [first, second] = ['', ''];
beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  const registrant = await Registrant.of(client);
  first = await registrant.register();
  second = await registrant.register({ period: 2 });
  await client.post('/domains/renew/bulk', { domains: [first, second], renew_period: '1y' });
});
afterAll(() => registry.stop());

class Undone extends Error {}

/** What the check finds after somebody with the owner's rights did this; it is undone afterwards. */
async function findingsAfter(tamper: (db: Sql) => Promise<unknown>): Promise<string[]> {
  let found: string[] = [];
  await registry.sql
    .begin(async (db) => {
      await tamper(db);
      found = (await checkLedger(db)).map(({ finding, subject }) => `${finding}: ${subject}`);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return found;
}

const entryOf = (db: Sql, description: string) =>
  db
    .rows(sql<{ id: number; history: number }>`
    select id, history_id as history from ledger_entries where description = ${description} order by id`)
    .then(([row]) => row ?? { id: 0, history: 0 });

describe('the check of the ledger', () => {
  test('success: registrations and renewals, one by one and in bulk, leave a clean ledger', async () => {
    const [{ charges } = { charges: 0 }] = await registry.sql.rows(sql<{ charges: number }>`
      select count(*)::int as charges from ledger_entries where history_id is not null`);
    expect(charges).toBe(4);
    expect(await checkLedger(registry.sql)).toEqual([]);
  });

  test('failure: a balance that was written over', async () => {
    const found = await findingsAfter((db) =>
      db.rows(sql`
        update ledger_accounts a set balance = 1 from registrars r
        where r.id = a.registrar_id and r.code = 'ALPHA' and a.kind = 'registrar'`),
    );
    expect(found).toEqual(['a balance is not the sum of its entries: ALPHA registrar']);
  });

  test('failure: a debt that nobody booked', async () => {
    const found = await findingsAfter((db) =>
      db.rows(sql`
        update ledger_accounts a set balance = 5 from registrars r
        where r.id = a.registrar_id and r.code = 'ALPHA' and a.kind = 'debt'`),
    );
    expect(found).toEqual(['a balance is not the sum of its entries: ALPHA debt']);
  });

  test('failure: a charge that went missing, even where the balance was made to fit', async () => {
    const { id, history } = await entryOf(registry.sql, `Create ${second}`);
    const found = await findingsAfter(async (db) => {
      await db.run(sql`
        update ledger_accounts a set balance = a.balance + e.amount from ledger_entries e
        where e.id = ${id} and a.id = e.debit_account`);
      await db.run(sql`
        update ledger_entries set balance_after = balance_after + 1800 where id > ${id} and registrar_id is not null`);
      await db.run(sql`delete from ledger_entries where id = ${id}`);
    });
    expect(found).toEqual([`a change was not charged exactly once: create ${second} (history ${history})`]);
  });

  test('failure: a charge that was booked twice', async () => {
    const { id, history } = await entryOf(registry.sql, `Create ${first}`);
    const found = await findingsAfter(async (db) => {
      // The schema itself forbids it; without the constraint it is still found.
      await db.run(sql`alter table ledger_entries drop constraint ledger_entries_history_id_key`);
      await double(db, id, sql`history_id`);
    });
    expect(found).toContain(`a change was not charged exactly once: create ${first} (history ${history})`);
    await expect(findingsAfter((db) => double(db, id, sql`history_id`))).rejects.toThrow(
      /ledger_entries_history_id_key/,
    );
  });

  test('failure: a charge that belongs to no change', async () => {
    const { id } = await entryOf(registry.sql, `Create ${first}`);
    const found = await findingsAfter((db) => double(db, id, sql`null`));
    expect(found).toContainEqual(expect.stringMatching(/^a charge belongs to no change: entry \d+$/));
  });

  test('failure: an amount that was written over breaks the balance and every step after it', async () => {
    const { id } = await entryOf(registry.sql, `Create ${second}`);
    const found = await findingsAfter((db) =>
      db.rows(sql`update ledger_entries set amount = amount - 1 where id = ${id}`),
    );
    expect(found).toContain('a balance is not the sum of its entries: ALPHA registrar');
    expect(found).toContain(`a running balance does not follow: entry ${id}`);
    expect(found.filter((text) => text.startsWith('a running balance'))).toHaveLength(3);
  });

  test('failure: a renewal that was charged as a creation', async () => {
    const { id, history } = await entryOf(registry.sql, `Renew ${first}`);
    const found = await findingsAfter((db) =>
      db.rows(sql`update ledger_entries set operation = 'create' where id = ${id}`),
    );
    expect(found).toContain(`a change was charged as another: ${first} (history ${history})`);
  });
});

/** The same entry once more, tied to the change that `history` names. */
const double = (db: Sql, id: number, history: Fragment | number) =>
  db.rows(sql`
  insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, history_id, actor)
  select at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, ${history}, 'somebody'
  from ledger_entries where id = ${id}`);
