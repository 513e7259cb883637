import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { SoaRecord, ZoneRecord } from './zone-record.ts';

/** What one serial changed may be as large as the zone. */
type RecordPages = Iterable<readonly ZoneRecord[]> | AsyncIterable<readonly ZoneRecord[]>;
/** How a serial differs from the one before it. What was removed is read first. */
export type ZoneStep = {
  readonly soaBefore: SoaRecord;
  readonly soaAfter: SoaRecord;
  readonly removed: RecordPages;
  readonly added: RecordPages;
};
export type ZoneHistory = {
  /** The newest start of authority. */
  readonly soa: SoaRecord;
  /** Oldest first. Rejects if the serial that was asked from is deleted meanwhile: then others may be missing too. */
  readonly steps: AsyncIterable<ZoneStep>;
};

/** As many as of a whole zone: memory does not depend on how much changed. */
const PAGE_OWNERS = 500;
/** Above this number of changed owners the whole zone is not much larger. */
const MAX_CHANGED_OWNERS = 50_000;

type SerialRow = { readonly id: number; readonly soa: SoaRecord };
type Range = { readonly zone: string; readonly from: SerialRow; readonly to: SerialRow };

/**
 * What changed since a serial; undefined if that serial is unknown, too old or too far behind, or one after it is
 * missing. Every page is a statement of its own, so that a slow secondary holds no snapshot.
 */
export async function readChanges(
  db: Sql,
  zone: string,
  fromSerial: number,
  maxOwners = MAX_CHANGED_OWNERS,
): Promise<ZoneHistory | undefined> {
  const from = await db.maybe(sql<SerialRow>`
    select id, soa from zone_serials where zone = ${zone} and serial = ${fromSerial} order by id desc limit 1`);
  if (!from) return undefined;
  const to = await db.one(sql<SerialRow>`
    select id, soa from zone_serials where zone = ${zone} order by id desc limit 1`);
  const range = { zone, from, to };
  const owners = await countChanges(db, range, maxOwners + 1);
  if (owners > maxOwners || !(await isUnbroken(db, range))) return undefined;
  return { soa: to.soa, steps: readSteps(db, range) };
}

/**
 * Whether every serial of the range was made from the one before it, and is a later one; what a missing one changed
 * nobody would learn.
 */
async function isUnbroken(db: Sql, { zone, from, to }: Range): Promise<boolean> {
  const { broken } = await db.one(sql<{ broken: boolean }>`
    select exists (
      select from (
        select s.id, s.previous_id, lag(s.id) over w as before, (s.serial - lag(s.serial) over w) & 4294967295 as raise
        from zone_serials s where s.zone = ${zone} and s.id between ${from.id} and ${to.id}
        window w as (order by s.id)) as chain
      where id > ${from.id} and (previous_id is distinct from before or raise not between 1 and 2147483647)) as broken`);
  return !broken;
}

async function countChanges(db: Sql, { zone, from, to }: Range, max: number): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::int as count from (
      select from zone_serials s left join zone_changes c on c.serial_id = s.id
      where s.zone = ${zone} and s.id > ${from.id} and s.id <= ${to.id} limit ${max}) as changes`);
  return count;
}

/** Steps that fit into a page together are read together; one that does not is read page by page. */
async function* readSteps(db: Sql, range: Range): AsyncGenerator<ZoneStep, void> {
  let before = range.from;
  while (before.id < range.to.id) {
    const rows = await readPage(db, range, before.id);
    const steps = [...Map.groupBy(rows, ({ id }) => id).values()];
    // The last one may go on in the next page.
    const whole = rows.length < PAGE_OWNERS ? steps : steps.slice(0, -1);
    for (const changes of whole.length > 0 ? whole : steps) {
      const [first] = changes;
      if (!first) continue;
      const after = { id: first.id, soa: first.soa };
      const soas = { soaBefore: before.soa, soaAfter: after.soa };
      yield whole.length > 0
        ? {
            ...soas,
            removed: [changes.flatMap((change) => change.removed ?? [])],
            added: [changes.flatMap((change) => change.added ?? [])],
          }
        : {
            ...soas,
            removed: readStep(db, range, after.id, 'removed'),
            added: readStep(db, range, after.id, 'added'),
          };
      before = after;
    }
  }
}

type Change = {
  readonly removed: readonly ZoneRecord[] | null;
  readonly added: readonly ZoneRecord[] | null;
};

/**
 * The changes of the first serials after one, in order. The oldest serials are deleted first: as long as the one that was
 * asked from is there, in the same snapshot, all after it are.
 */
const readPage = async (db: Sql, { zone, from, to }: Range, after: number): Promise<(SerialRow & Change)[]> =>
  requireKept(
    from,
    await db.rows(sql<SerialRow & Change>`
      select p.* from zone_serials f cross join lateral (
        select s.id, s.soa, c.removed, c.added
        from zone_serials s left join lateral (
          select removed, added from zone_changes where serial_id = s.id order by label limit ${PAGE_OWNERS}) as c on true
        where s.zone = ${zone} and s.id > ${after} and s.id <= ${to.id} order by s.id limit ${PAGE_OWNERS}) as p
      where f.id = ${from.id} order by p.id`),
  );

/** What one serial removed or added: IXFR has all that was removed before anything that was added. */
async function* readStep(
  db: Sql,
  { from }: Range,
  id: number,
  kind: 'removed' | 'added',
): AsyncGenerator<readonly ZoneRecord[], void> {
  let after = '';
  for (let isLast = false; !isLast; ) {
    const rows = requireKept(
      from,
      await db.rows(sql<{ label: string | null; records: readonly ZoneRecord[] | null }>`
        select c.label, c.records from zone_serials f left join lateral (
          select label, ${kind === 'removed' ? sql`removed` : sql`added`} as records from zone_changes
          where serial_id = ${id} and label ${after === '' ? sql`>=` : sql`>`} ${after} order by label limit ${PAGE_OWNERS}) as c on true
        where f.id = ${from.id} order by c.label`),
    );
    after = rows.at(-1)?.label ?? after;
    isLast = rows.length < PAGE_OWNERS;
    yield rows.flatMap(({ records }) => records ?? []);
  }
}

function requireKept<Row>({ soa }: SerialRow, rows: Row[]): Row[] {
  if (rows.length === 0)
    throw new Error(`the changes of ${soa.name} since ${soa.data.serial} were deleted while they were read`);
  return rows;
}
