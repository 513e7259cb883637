import { indexedRange, type TextPattern } from '../../platform/paging/text-pattern.ts';
import { type Fragment, sql, text } from '../../platform/sql/statement.ts';

/** How many entries of an index are read for a text that may stand anywhere in them: a microsecond each. */
const MAX_ENTRIES = 50_000;
/** The same where the rows must be read. */
const MAX_ROWS = 30_000;

/** Ids of the contacts of a registrar that match, and whether they are too many to be found so. */
export type MatchingContacts = { readonly ids: Fragment; readonly isBeyond: Fragment };

type Column = {
  readonly column: Fragment;
  /** The columns of an index in its order. */
  readonly order: Fragment;
  readonly isInByteOrder: boolean;
  readonly max: number;
};

const COLUMNS = {
  name: {
    column: sql`name_key`,
    order: sql`registrar_id, name_key, id`,
    isInByteOrder: true,
    max: MAX_ENTRIES,
  },
  code: {
    column: sql`code_key`,
    order: sql`registrar_id, code_key, id`,
    isInByteOrder: true,
    max: MAX_ENTRIES,
  },
  email: {
    column: sql`lower(email)`,
    order: sql`registrar_id, created_at, id`,
    isInByteOrder: false,
    max: MAX_ROWS,
  },
} as const satisfies Readonly<Record<string, Column>>;

export function matchingContacts(
  by: keyof typeof COLUMNS | 'ident',
  pattern: TextPattern,
  registrarId: number,
): MatchingContacts {
  if (by === 'ident') return matchingIdents(pattern, registrarId);
  const { column, order, isInByteOrder, max } = COLUMNS[by];
  const { like, value } = pattern;
  const own = sql`contacts where registrar_id = ${registrarId}`;
  const range = isInByteOrder
    ? indexedRange(column, pattern)
    : value !== undefined && sql`${column} = lower(${value}::text)`;
  if (range)
    return {
      ids: sql`select id from ${own} and ${range} and ${column} like ${like}::text`,
      isBeyond: sql`false`,
    };
  const entries = sql`select id, ${column} as entry from ${own} order by ${order}`;
  return {
    ids: sql`select id from (${entries} ${text(`limit ${max}`)}) as entries where entry like ${like}::text`,
    isBeyond: moreThan(max, sql`select from ${own} order by ${order}`),
  };
}

const moreThan = (max: number, rows: Fragment): Fragment =>
  sql`((select count(*) from (${rows} ${text(`limit ${max + 1}`)}) as counted) > ${text(String(max))})`;

/** Their index has no id: it tells which identifications match, and these lead to the contacts. */
function matchingIdents({ like, value }: TextPattern, registrarId: number): MatchingContacts {
  const own = sql`contacts where registrar_id = ${registrarId}`;
  // Identifications are stored as they were written: the index finds one that has no letters.
  if (value !== undefined && value === value.toUpperCase())
    return { ids: sql`select id from ${own} and ident = ${value}`, isBeyond: sql`false` };
  const order = sql`order by registrar_id, ident`;
  return {
    ids: sql`select same.id from (
        select distinct ident from (select ident from ${own} ${order} ${text(`limit ${MAX_ENTRIES}`)}) as entries
        where lower(ident) like ${like}::text) as found
      cross join lateral (select id from ${own} and ident = found.ident offset 0) as same`,
    isBeyond: moreThan(MAX_ENTRIES, sql`select from ${own} ${order}`),
  };
}
