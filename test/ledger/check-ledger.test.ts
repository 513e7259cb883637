import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { explain } from '../../src/commands/terminal/explain.ts';
import { checkLedger, checkLedgerInRanges } from '../../src/ledger/check-ledger.ts';
import type { CheckPosition } from '../../src/ledger/check-position.ts';
import { continueLedgerCheck } from '../../src/ledger/continue-check.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import type { Fragment } from '../../src/platform/sql/statement.ts';
import { alpha } from '../support/client.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
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

  test('failure: an amount that was written over breaks the balance and its own step', async () => {
    const { id } = await entryOf(registry.sql, `Create ${second}`);
    const found = await findingsAfter((db) =>
      db.rows(sql`update ledger_entries set amount = amount - 1 where id = ${id}`),
    );
    expect(found).toEqual([
      `a running balance does not follow: entry ${id}`,
      'a balance is not the sum of its entries: ALPHA registrar',
    ]);
  });

  test('failure: a renewal that was charged as a creation', async () => {
    const { id, history } = await entryOf(registry.sql, `Renew ${first}`);
    const found = await findingsAfter((db) =>
      db.rows(sql`update ledger_entries set operation = 'create' where id = ${id}`),
    );
    expect(found).toContain(`a change was charged as another: ${first} (history ${history})`);
  });
});

describe('the check in ranges', () => {
  const whole = async (db: Sql, range: number) => {
    const positions: CheckPosition[] = [];
    const check = await checkLedgerInRanges(db, {
      range,
      onPosition: async (position) => void positions.push(position),
    });
    return { ...check, positions };
  };

  test('success: ranges of any size read every entry once, and a check continues at any of their ends', async () => {
    const [{ entries } = { entries: 0 }] = await registry.sql.rows(
      sql<{ entries: number }>`select count(*)::int as entries from ledger_entries`,
    );
    const { positions, ...check } = await whole(registry.sql, 1);
    expect(check).toEqual({ findings: [], findingCount: 0, entries, isComplete: true });
    expect(positions.length).toBeGreaterThanOrEqual(entries);
    for (const from of positions)
      expect(await checkLedgerInRanges(registry.sql, { from })).toEqual({
        ...check,
        entries: entries - from.entries,
      });
  });

  test('failure: a discrepancy in a later range is found as in one, and the position stays before it', async () => {
    const { id } = await entryOf(registry.sql, `Create ${second}`);
    const tampered = registry.sql.begin(async (db) => {
      await db.run(sql`update ledger_entries set amount = amount - 1 where id = ${id}`);
      const [single, many] = [await whole(db, 1_000_000), await whole(db, 1)];
      throw new Found(single, many);
    });
    const { single, many } = await tampered.catch((error: unknown) => {
      if (error instanceof Found) return error;
      throw error;
    });
    expect(single.findings).toHaveLength(2);
    expect(many.findings).toEqual(single.findings);
    expect(many.positions.at(-1)?.entryId).toBe(id - 1);
  });

  class Found extends Error {
    readonly single: Awaited<ReturnType<typeof whole>>;
    readonly many: Awaited<ReturnType<typeof whole>>;
    constructor(single: Awaited<ReturnType<typeof whole>>, many: Awaited<ReturnType<typeof whole>>) {
      super();
      this.single = single;
      this.many = many;
    }
  }

  test('success: an entry whose transaction was still open is waited for, and not left behind', async () => {
    const owner = await connectAsOwner({ ...inject('server'), database: registry.databaseName });
    const { promise: open, resolve: end } = Promise.withResolvers<void>();
    const { promise: booked, resolve: book } = Promise.withResolvers<void>();
    const writing = owner.begin(async (db) => {
      await double(db, (await entryOf(db, `Create ${first}`)).id, sql`null`);
      book();
      await open;
    });
    try {
      await booked;
      // A later entry is visible already.
      await registry.sql.run(sql`select credit_registrar(r.id, s.id, 100, jsonb_populate_record(null::ledger_entries, '{"operation": "x", "description": "x", "actor": "x", "at": "2026-01-01"}'))
        from registrars r, ledger_accounts s where r.code = 'BETA' and s.kind = 'opening'`);
      let pauses = 0;
      const check = await checkLedgerInRanges(registry.sql, {
        pause: async () => {
          if (pauses++ > 0) return;
          end();
          await writing;
        },
      });
      expect(pauses).toBeGreaterThan(0);
      expect(check.findings.map(({ finding }) => finding)).toContain('a charge belongs to no change');
    } finally {
      end();
      await writing;
      await registry.sql.run(sql`delete from ledger_entries where actor = 'somebody'`);
      await owner.close();
    }
  });

  test('failure: a transaction that does not end ends the check, with a reason', async () => {
    const owner = await connectAsOwner({ ...inject('server'), database: registry.databaseName });
    const { promise: open, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const writing = owner.begin(async (db) => {
      await db.run(sql`select pg_current_xact_id()`);
      begin();
      await open;
    });
    try {
      await begun;
      const pause = async () => {};
      const refused = await checkLedgerInRanges(registry.sql, { pause }).catch(explain);
      expect(refused).toMatch(/^Transactions that were open .* See them in pg_stat_activity\.$/);
      expect(await checkLedgerInRanges(registry.sql, { pause, isOver: () => true })).toMatchObject({
        isComplete: false,
      });
    } finally {
      end();
      await writing;
      await owner.close();
    }
  });
});

describe('the check that continues', () => {
  const now = new Date('2026-11-18T10:00:00Z');
  const tomorrow = new Date('2026-11-19T10:00:00Z');

  test('success: the next check reads what is new; a whole one finds what was changed before, and so does the next', async () => {
    const db = registry.sql;
    const begun = await continueLedgerCheck(db, now);
    expect(begun).toMatchObject({ findings: [], since: undefined });
    await (await Registrant.of(alpha(registry.url))).register();
    const { id } = await entryOf(db, `Create ${first}`);
    const change = (cents: number) =>
      db.run(sql`update ledger_entries set amount = amount + ${cents}::int where id = ${id}`);
    await change(1);
    const continued = await continueLedgerCheck(db, tomorrow);
    expect(continued).toMatchObject({ findings: [], entries: 1 });
    expect(continued.since).toMatchObject({ startedAt: now, checkedAt: now, entries: begun.entries });
    const whole = await continueLedgerCheck(db, tomorrow, { isWhole: true });
    expect(whole.findings.map(({ subject }) => subject)).toEqual([`entry ${id}`, 'ALPHA registrar']);
    expect(await continueLedgerCheck(db, tomorrow)).toMatchObject({ findings: whole.findings });
    await change(-1);
    expect(await continueLedgerCheck(db, tomorrow)).toMatchObject({
      findings: [],
      entries: begun.entries + 1,
    });
    expect(await continueLedgerCheck(db, tomorrow)).toMatchObject({ findings: [], entries: 0 });
  });
});

/** The same entry once more, tied to the change that `history` names. */
const double = (db: Sql, id: number, history: Fragment | number) =>
  db.rows(sql`
  insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, history_id, actor)
  select at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, ${history}, 'somebody'
  from ledger_entries where id = ${id}`);
