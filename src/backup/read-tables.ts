import { createHash, type Hash } from 'node:crypto';
import type { BulkTransaction } from '../platform/sql/bulk-transaction.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';

export type TableShape = {
  readonly name: string;
  readonly columns: readonly string[];
  /** Expressions that give its rows one order on every server. */
  readonly order: readonly string[];
};
export type TableSum = { readonly rows: number; readonly bytes: number; readonly sha256: string };
/** An identity column and the last value that was drawn; null if none was. */
export type Identity = { readonly table: string; readonly column: string; readonly last: number | null };

/** Rows are cut into parts of about this size, each with whole rows. */
const PART_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The tables of the product; those of the sandbox's simulators are in a schema of their own. */
export function readTables(db: Sql): Promise<TableShape[]> {
  // Texts are ordered by their bytes: the collation of another server may order them differently.
  return db.rows(sql<TableShape>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select case when p.indexrelid is null then format('%I::text collate "C"', a.attname)
          when t.typcollation <> 0 then format('%I collate "C"', a.attname) else format('%I', a.attname) end
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (p.indexrelid is null or a.attnum = any(p.indkey::int2[]))
        order by coalesce(array_position(p.indkey::int2[], a.attnum), a.attnum)) as "order"
    from pg_class c left join pg_index p on p.indrelid = c.oid and p.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname`);
}

export function readIdentities(db: Sql): Promise<Identity[]> {
  return db.rows(sql<Identity>`
    select c.relname as "table", a.attname as "column", s.last_value as last
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      join pg_sequences s on s.schemaname = 'public'
        and format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1, 2`);
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(', ');

/** The rows of a table as text, in their order. */
export const copyRows = ({ copyOut }: BulkTransaction, table: TableShape): AsyncGenerator<Buffer> =>
  copyOut(
    `copy (select ${columnList(table)} from public.${quoted(table.name)} order by ${table.order.join(', ')}) to stdout`,
  );

export const loadRows = (
  { copyIn }: BulkTransaction,
  table: TableShape,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> => copyIn(`copy public.${quoted(table.name)} (${columnList(table)}) from stdin`, rows);

/** Counts and sums up the rows that pass through it. */
export class TableDigest {
  readonly #hash: Hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  add(block: Uint8Array): void {
    this.#hash.update(block);
    this.#bytes += block.length;
    // A line break within a value is escaped: every line is a row.
    for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, at + 1)) this.#rows += 1;
  }

  sum(): TableSum {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}

/** What a table holds now. */
export async function sumOf(transaction: BulkTransaction, table: TableShape): Promise<TableSum> {
  const digest = new TableDigest();
  for await (const block of copyRows(transaction, table)) digest.add(block);
  return digest.sum();
}

/** Parts of whole rows, so that each can be loaded by itself. */
export async function* rowParts(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const block of blocks) {
    const end = block.lastIndexOf(NEWLINE) + 1;
    bytes += block.length;
    if (bytes < PART_BYTES || end === 0) {
      waiting.push(block);
      continue;
    }
    yield Buffer.concat([...waiting, block.subarray(0, end)]);
    waiting = end === block.length ? [] : [block.subarray(end)];
    bytes = block.length - end;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
