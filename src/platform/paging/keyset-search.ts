import type { Sql } from '../sql/executor.ts';
import { type Fragment, type Statement, sql, text } from '../sql/statement.ts';
import { isAfter, keyText, orderBy, type SortColumns, sortColumn } from './order.ts';
import type { Position } from './position.ts';

/** Matches beyond this number are not counted. */
export const MAX_COUNTED = 1_000;
/** A set of candidates up to this size is read and sorted: some microseconds each. */
export const MAX_SORTED = 2_000;
/** One up to this size is hashed, and looked up for what a walk passes: a fraction of a microsecond each. */
export const MAX_HASHED = 10_000;
/** How far one page walks along the index of its order, where the index alone tells what matches. */
const MAX_ENTRIES_WALKED = 30_000;
/** The same where the rows must be read. */
const MAX_ROWS_WALKED = 3_000;
/** The same to count what matches. */
const [MAX_ENTRIES_COUNTED, MAX_ROWS_COUNTED] = [5_000, 2_000];

/**
 * A search in one table of a registrar's objects, whose rows are called `o`. It either sorts a small set of candidates,
 * or walks along the index of the order and tests what it passes; both are bounded, however rare a match is.
 */
export type KeysetSearch<Sort extends string> = {
  readonly table: Fragment;
  readonly registrarId: number;
  readonly sort: Sort | `-${Sort}`;
  readonly columns: SortColumns<Sort>;
  readonly after: Position | undefined;
  /** The part of the order that is walked along; also tested on candidates. */
  readonly range: Fragment;
  /** What every index of an order includes, and a test of these columns of `o` or `entry` and of the id. */
  readonly entryColumns: Fragment;
  readonly entryTest: (of: Fragment, id: Fragment) => Fragment;
  /** Undefined if every row that passes the test of its entry matches. */
  readonly rowTest: Fragment | undefined;
  /** Undefined where every entry of the order can match, or most of them. */
  readonly candidates: Candidates | undefined;
  /** A number of matches that is known without counting; null where counting costs more than the page. */
  readonly knownMatches?: number | null | undefined;
};

/** Ids of everything that can match. */
export type Candidates = { readonly ids: Fragment; readonly isSorted: boolean };

/** A count that stops at MAX_COUNTED; `isCut` if the walk ended before the list did. */
export type BoundedCount = { readonly count: number; readonly isCut: boolean };

export type FoundPage<Row> = {
  readonly rows: readonly Row[];
  /** Where the next page begins. */
  readonly next: Position | undefined;
  /** The walk ended before the page was full: further matches may follow. */
  readonly isCut: boolean;
};

export type FoundPageWithTotal<Row> = FoundPage<Row> & {
  /** Of all that match; undefined on later pages. */
  readonly total: BoundedCount | undefined;
};

const AND = sql` and `;
const limit = (rows: number): Fragment => text(`limit ${rows}`);
const maxWalked = ({ rowTest, candidates }: KeysetSearch<string>): number =>
  rowTest && !candidates ? MAX_ROWS_WALKED : MAX_ENTRIES_WALKED;
const maxCounted = ({ rowTest, candidates }: KeysetSearch<string>): number =>
  rowTest && !candidates ? MAX_ROWS_COUNTED : MAX_ENTRIES_COUNTED;

/** One page, and how to go on; the columns of `shown` are of a row `o`. */
export async function findPage<Row extends object, Sort extends string>(
  db: Sql,
  search: KeysetSearch<Sort>,
  shown: Statement<Row>,
  size: number,
): Promise<FoundPage<Row>> {
  const { page } = await readPage(db, search, shown, size);
  return page;
}

/** The first page has the number of all that match. */
export async function findPageWithTotal<Row extends object, Sort extends string>(
  db: Sql,
  search: KeysetSearch<Sort>,
  shown: Statement<Row>,
  size: number,
): Promise<FoundPageWithTotal<Row>> {
  const { page, matches } = await readPage(db, search, shown, size);
  const { rows, next, isCut } = page;
  if (search.after) return { ...page, total: undefined };
  const known = next === undefined || isCut ? rows.length : (matches ?? search.knownMatches);
  if (known === undefined) return { ...page, total: await countMatches(db, search) };
  return { ...page, total: known === null ? { count: rows.length, isCut: true } : { count: known, isCut } };
}

type PageRow<Row> = Row & { positionKey: string; positionId: number; matches: number | null };

async function readPage<Row extends object, Sort extends string>(
  db: Sql,
  search: KeysetSearch<Sort>,
  shown: Statement<Row>,
  size: number,
): Promise<{ readonly page: FoundPage<Row>; readonly matches: number | undefined }> {
  const { sort, columns, table } = search;
  const direction = sort.startsWith('-') ? sql`desc` : sql``;
  const isSorted = search.candidates?.isSorted ?? false;
  const key = isSorted ? sortColumn(sort, columns).column : sql`entry.key`;
  const entries = sql`
    select entry.entry_id, ${key} as key, ${isSorted ? sql`count(*) over ()` : sql`null::bigint`} as matches
    from ${matching(search)} order by ${key} ${direction}, entry.entry_id ${direction} ${limit(size + 1)}`;
  const found = await db.rows(sql<PageRow<Row>>`
    select ${positionKey(search)} as "positionKey", o.id as "positionId", found.matches, ${shown}
    from (${entries}) as found cross join lateral (select * from ${table} as r where r.id = found.entry_id offset 0) as o
    order by found.key ${direction}, found.entry_id ${direction}`);
  const matches = isSorted ? Math.min(found[0]?.matches ?? 0, MAX_COUNTED + 1) : undefined;
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  if (found.length > size && last)
    return {
      page: { rows, next: { key: last.positionKey, id: last.positionId }, isCut: false },
      matches,
    };
  const next = isSorted ? undefined : await endOfWalk(db, search);
  return { page: { rows, next, isCut: next !== undefined }, matches };
}

function countMatches<Sort extends string>(db: Sql, search: KeysetSearch<Sort>): Promise<BoundedCount> {
  const most = maxCounted(search);
  const counted = sql`select count(*) as count from (select from ${matching(search, most)} ${limit(MAX_COUNTED + 1)}) as counted`;
  // The whole walk is counted only where it decides what the number means.
  return db.one(sql<BoundedCount>`
    select found.count, case when found.count > ${MAX_COUNTED} then false
      else (select count(*) = ${most}::bigint from ${walk(search, most)} as walked) end as "isCut"
    from (${counted}) as found`);
}

/** Where the walk ends if more entries follow. */
async function endOfWalk<Sort extends string>(
  db: Sql,
  search: KeysetSearch<Sort>,
): Promise<Position | undefined> {
  const { sort, columns } = search;
  return db.maybe(sql<Position>`
    select ${positionKey(search)} as key, o.id from ${search.table} as o
    where ${inOrder(search)} order by ${orderBy(sort, columns)} ${text(`limit 1 offset ${maxWalked(search) - 1}`)}`);
}

/**
 * Rows are read by their key alone, and tested outside of the subselect that reads them: a test of the sort column in
 * it would lead the planner to search the index of the order once per candidate.
 */
function matching<Sort extends string>(search: KeysetSearch<Sort>, most = maxWalked(search)): Fragment {
  const { table, candidates, entryTest, rowTest } = search;
  const row = sql`cross join lateral (select * from ${table} as r where r.id = entry.entry_id offset 0) as o`;
  const tests = rowTest ? sql`${AND}${rowTest}` : sql``;
  if (candidates?.isSorted)
    return sql`(select distinct id as entry_id from (${candidates.ids} ${limit(MAX_SORTED)}) as candidates) as entry ${row}
      where ${inOrder(search)} and ${entryTest(sql`o`, sql`o.id`)} ${tests}`;
  // `is true` keeps the planner from a join: the set is hashed once, and looked up in the order of the walk.
  const isCandidate = candidates
    ? sql`(entry.entry_id in (${candidates.ids} ${limit(MAX_HASHED)})) is true and`
    : sql``;
  return sql`${walk(search, most)} as entry ${rowTest ? row : sql``} where ${isCandidate} ${entryTest(sql`entry`, sql`entry.entry_id`)} ${tests}`;
}

function walk<Sort extends string>(search: KeysetSearch<Sort>, most: number): Fragment {
  const { table, sort, columns, entryColumns } = search;
  return sql`(
    select o.id as entry_id, ${sortColumn(sort, columns).column} as key, ${entryColumns} from ${table} as o
    where ${inOrder(search)} order by ${orderBy(sort, columns)} ${limit(most)})`;
}

function inOrder<Sort extends string>(search: KeysetSearch<Sort>): Fragment {
  const { registrarId, range, sort, columns, after } = search;
  const further = after ? sql`and ${isAfter(sort, columns, after)}` : sql``;
  return sql`o.registrar_id = ${registrarId} and ${range} ${further}`;
}

function positionKey<Sort extends string>({ sort, columns }: KeysetSearch<Sort>): Fragment {
  const { column, type } = sortColumn(sort, columns);
  return keyText(column, type);
}
