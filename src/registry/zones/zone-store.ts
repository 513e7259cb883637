import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { ApexHosts } from './apex-hosts.ts';
import type { SoaRecord, ZoneRecord } from './zone-record.ts';

/** Owners per page: about two thousand records, which are garbage before they are moved to the old generation. */
const PAGE_OWNERS = 500;
/** How long a reader of a whole zone may pause between two pages. */
const READER_PAUSE_SECONDS = 60;

/** Undefined for a zone that was never published. */
export async function readSerial(db: Sql, zone: string): Promise<number | undefined> {
  const row = await db.maybe(sql<{ serial: number }>`select serial from zones where zone = ${zone}`);
  return row?.serial;
}

/** The newest start of authority; undefined for a zone that was never published. */
export async function readSoa(db: Sql, zone: string): Promise<SoaRecord | undefined> {
  const row = await db.maybe(sql<{ soa: SoaRecord }>`
    select soa from zone_serials where zone = ${zone} order by id desc limit 1`);
  return row?.soa;
}

/**
 * All records of a zone in canonical order, in pages, from one snapshot that holds up no writer. The first page is the
 * start of authority. Nothing for a zone that was never published.
 */
export async function* streamZone(pool: Pool, zone: string): AsyncGenerator<readonly ZoneRecord[]> {
  const pages = new PageQueue<readonly ZoneRecord[]>();
  const reading = pool
    .begin(async (db) => {
      await beginSnapshot(db);
      const soa = await readSoa(db, zone);
      if (!soa || !(await pages.put([soa]))) return;
      const apexHosts = new ApexHosts(zone);
      let after: string | undefined;
      do {
        const rows: OwnerRow[] = await readOwners(db, zone, after);
        after = rows.length < PAGE_OWNERS ? undefined : rows.at(-1)?.label;
        const records = apexHosts.place(rows, after === undefined);
        if (records.length > 0 && !(await pages.put(records))) return;
      } while (after !== undefined);
    })
    .then(
      () => pages.end(),
      (error: unknown) => pages.fail(error),
    );
  try {
    yield* pages.read();
  } finally {
    pages.cancel();
    await reading;
  }
}

/** Before the first statement of a transaction: all its statements see the same state, and write nothing. */
export const beginSnapshot = (db: Sql): Promise<void> =>
  db.script(
    `set transaction isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = '${READER_PAUSE_SECONDS}s'`,
  );

type OwnerRow = { readonly label: string; readonly records: readonly ZoneRecord[] };

const readOwners = (db: Sql, zone: string, after: string | undefined): Promise<OwnerRow[]> =>
  db.rows(sql<OwnerRow>`
    select label, records from zone_records
    where zone = ${zone} and label ${after === undefined ? sql`>=` : sql`>`} ${after ?? ''} order by label limit ${PAGE_OWNERS}`);

/** Hands pages from a transaction to a reader. While the reader has one, the next is read, and no more. */
class PageQueue<Page> {
  #page: Page | undefined;
  #state: 'open' | 'ended' | 'cancelled' = 'open';
  #failure: { readonly error: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  /** Resolves when the page was taken; false if nobody reads any more. */
  async put(page: Page): Promise<boolean> {
    this.#page = page;
    this.#signal();
    while (this.#page !== undefined && this.#state === 'open') await this.#changed.promise;
    return this.#state === 'open';
  }

  async *read(): AsyncGenerator<Page> {
    for (;;) {
      while (this.#page === undefined && this.#state === 'open') await this.#changed.promise;
      const page = this.#page;
      if (page === undefined) break;
      this.#page = undefined;
      this.#signal();
      yield page;
    }
    if (this.#failure) throw this.#failure.error;
  }

  end(): void {
    this.#state = 'ended';
    this.#signal();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.end();
  }

  cancel(): void {
    if (this.#state === 'open') this.#state = 'cancelled';
    this.#signal();
  }

  #signal(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}
