import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { SoaRecord, ZoneRecord } from './zone-record.ts';

/** The difference that led to a serial, with the start of authority of that serial. */
export type ZoneStep = {
  readonly soa: SoaRecord;
  readonly removed: readonly ZoneRecord[];
  readonly added: readonly ZoneRecord[];
};
export type ZoneHistory = {
  /** The start of authority of the serial that was asked from. */
  readonly from: SoaRecord;
  /** Oldest first; empty if that serial is the newest. */
  readonly steps: readonly ZoneStep[];
};

/** Owners per page: about ten thousand records. */
const PAGE_OWNERS = 2_500;
/** Above this number of changed owners the whole zone is not much larger. */
const MAX_CHANGED_OWNERS = 50_000;
/** How long a reader of a whole zone may pause between two pages. */
const READER_PAUSE_SECONDS = 60;

/** The tables come with a migration that may run after this program was started. */
export async function hasZoneTables(db: Sql): Promise<boolean> {
  const { found } = await db.one(
    sql<{ found: boolean }>`select to_regclass('zone_delegation_signers') is not null as found`,
  );
  return found;
}

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
      let after: string | undefined;
      do {
        const rows: OwnerRow[] = await readOwners(db, zone, after);
        after = rows.length < PAGE_OWNERS ? undefined : rows.at(-1)?.label;
        const records = rows.flatMap((row) => row.records);
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

/** What changed since a serial; undefined if that serial is unknown, too old or too far behind. */
export async function readChanges(
  db: Sql,
  zone: string,
  fromSerial: number,
  maxOwners = MAX_CHANGED_OWNERS,
): Promise<ZoneHistory | undefined> {
  const from = await db.maybe(sql<{ id: number; soa: SoaRecord }>`
    select id, soa from zone_serials where zone = ${zone} and serial = ${fromSerial} order by id desc limit 1`);
  if (!from) return undefined;
  const rows = await db.rows(sql<{ id: number; soa: SoaRecord } & Partial<Omit<ZoneStep, 'soa'>>>`
    select s.id, s.soa, c.removed, c.added
    from zone_serials s left join zone_changes c on c.serial_id = s.id
    where s.zone = ${zone} and s.id > ${from.id} order by s.id, c.label limit ${maxOwners + 1}`);
  if (rows.length > maxOwners) return undefined;
  const steps = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((changes): ZoneStep[] => {
    const [first] = changes;
    const removed = changes.flatMap((change) => change.removed ?? []);
    const added = changes.flatMap((change) => change.added ?? []);
    return first ? [{ soa: first.soa, removed, added }] : [];
  });
  return { from: from.soa, steps };
}

/** Hands pages from a transaction to a reader, one at a time, so that neither is ahead of the other. */
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
      yield page;
      this.#page = undefined;
      this.#signal();
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
