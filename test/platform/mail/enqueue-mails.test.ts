import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enqueueMails, type Mail, writeMails } from '../../../src/platform/mail/enqueue-mails.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { part, WithStatement } from '../../../src/platform/sql/with.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const now = new Date('2027-01-01T00:00:00Z');
const mail = (to: string): Mail => ({
  to,
  subject: `Õ "quoted" {braced}, \\ ${to}`,
  text: 'one\ntwo, NULL',
  html: '<p>one</p>',
});
const three = ['a@example.ee', 'b@example.ee', 'c@example.ee'].map(mail);

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
});
afterAll(() => close());
beforeEach(async () => {
  await database.writes.run(sql`delete from mails`);
});

const stored = () =>
  database.reads.rows(sql<Mail>`select recipient as to, subject, text, html from mails order by id`);

/** The shape of every persisting statement: a guarded change, then the mails. */
const persist = (mails: readonly Mail[], changedRows: number) =>
  database.writes.rows(
    WithStatement.from(
      part('changed', [], sql`select n as id from generate_series(1, ${changedRows}::int) as n`),
    )
      .and(writeMails(mails, now))
      .end(['changed'], sql`select count(*)::int as rows from changed`),
  );

describe('mails of a persisting statement', () => {
  test('success: each is written once, in order, byte by byte', async () => {
    await persist(three, 1);
    expect(await stored()).toEqual(three);
  });

  test('success: several changed rows do not make several mails', async () => {
    await persist(three, 5);
    expect(await stored()).toEqual(three);
  });

  test('failure: a failed guard writes no mail', async () => {
    await persist(three, 0);
    expect(await stored()).toEqual([]);
  });

  test('success: no mails at all', async () => {
    await persist([], 1);
    expect(await stored()).toEqual([]);
  });

  test('success: they are due at once, tried for three days, and each has an id of its own', async () => {
    await persist(three, 1);
    const rows = await database.reads.rows(
      sql`select distinct created_at, next_attempt_at, try_until, attempts from mails`,
    );
    expect(rows).toEqual([
      { created_at: now, next_attempt_at: now, try_until: new Date('2027-01-04T00:00:00Z'), attempts: 0 },
    ]);
    const [ids] = await database.reads.rows(sql`select count(distinct message_id)::int as count from mails`);
    expect(ids).toEqual({ count: 3 });
  });
});

describe('mails of a transaction', () => {
  test('success: they are written with it', async () => {
    await database.writes.begin((db) => enqueueMails(db, three, now));
    expect(await stored()).toEqual(three);
  });

  test('failure: they are rolled back with it', async () => {
    const undone = database.writes.begin(async (db) => {
      await enqueueMails(db, three, now);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await stored()).toEqual([]);
  });
});
