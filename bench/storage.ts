import { openAsOwner } from '../src/platform/database/database.ts';
import type { Pool } from '../src/platform/sql/executor.ts';
import { sql } from '../test/support/sql.ts';
import type { Bar } from './progress.ts';
import { write, writeJson } from './report.ts';
import { startProduct } from './servers.ts';
import { aligned, asMarkdown, fixed, megabytes, type Table } from './tables.ts';
import { country, loadWorld } from './world.ts';

/** Smaller ones belong to no domain, contact or change: they do not grow with the registry. */
const MIN_ROWS = 1_000;

/** A table with its rows, and what they, their indexes and their out-of-line values take on the disk. */
type Relation = {
  readonly name: string;
  readonly rows: number;
  readonly heap: number;
  readonly toast: number;
  readonly indexes: Readonly<Record<string, number>>;
};

/** What a registry of so many domains takes on the disk, table by table and index by index. */
export async function runStorage(domains: number, bar: Bar): Promise<readonly string[]> {
  bar.say(`a registry of ${domains} domains`);
  const product = await startProduct();
  try {
    const population = country(domains);
    await loadWorld(product.database, population, bar);
    const db = openAsOwner(product.database);
    const [version, relations, total] = await readSizes(db).finally(() => db.close());
    const tables = [tableOf(relations, domains), indexesOf(relations)];
    for (const table of tables) console.log(`${aligned(table)}\n`);
    const { nameserversEach = 0, historyEach = 0, registrars } = population;
    write(
      'storage.md',
      `${[
        '# Storage',
        'Made by `npm run bench -- --storage`; [docs/operate/scaling.md](../docs/operate/scaling.md) tells what follows from it.',
        `PostgreSQL ${version}; ${domains} domains of ${registrars.length} registrars, ${nameserversEach} nameservers and ${historyEach} rows of history for each domain, every tenth signed; loaded, then vacuumed: without dead rows. The whole database has ${megabytes(total)}.`,
        ...tables.map(asMarkdown),
      ].join('\n\n')}\n`,
    );
    writeJson('storage.json', { version, domains, total, relations });
    return [];
  } finally {
    await product.stop();
  }
}

async function readSizes(db: Pool): Promise<[string, readonly Relation[], number]> {
  const relations = await db.rows(sql<Relation>`
    select c.relname as name, c.reltuples::float8 as rows, pg_relation_size(c.oid)::float8 as heap,
      coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)::float8 as toast,
      coalesce((select jsonb_object_agg(i.indexrelid::regclass::text, pg_relation_size(i.indexrelid)) from pg_index i where i.indrelid = c.oid), '{}') as indexes
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples >= ${MIN_ROWS}
    order by pg_total_relation_size(c.oid) desc`);
  const [facts] = await db.rows(sql<{ version: string; total: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as total`);
  return [facts?.version ?? '', relations, facts?.total ?? Number.NaN];
}

const sumOf = (indexes: Relation['indexes']) => Object.values(indexes).reduce((sum, size) => sum + size, 0);

const tableOf = (relations: readonly Relation[], domains: number): Table => [
  ['table', 'rows', 'rows per domain', 'bytes per row', 'bytes of its indexes per row', 'bytes per domain'],
  ...relations.map(({ name, rows, heap, toast, indexes }) => [
    name,
    fixed(rows),
    fixed(rows / domains, 2),
    fixed((heap + toast) / rows),
    fixed(sumOf(indexes) / rows),
    fixed((heap + toast + sumOf(indexes)) / domains),
  ]),
];

const indexesOf = (relations: readonly Relation[]): Table => [
  ['index', 'bytes per row of its table'],
  ...relations
    .flatMap(({ rows, indexes }) =>
      Object.entries(indexes).map(([name, size]) => ({ name, perRow: size / rows })),
    )
    .map(({ name, perRow }) => [name, fixed(perRow)]),
];
