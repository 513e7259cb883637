import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import { type Owner, openAsOwner } from '../../src/platform/database/database.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { PLANNER } from '../../src/platform/database/session-settings.ts';
import { sql, text as written } from '../../src/platform/sql/statement.ts';
import { type Recorded, recordingPool } from '../support/recorder.ts';

/** The source of the rows of a plan node, how many it read, and how many it returned. */
export type Reading = {
  readonly node: string;
  readonly table: string;
  /** Heap rows that were read, including those filtered out. */
  readonly heapRows: number;
  readonly indexEntries: number;
};
export type Observed = {
  readonly readings: readonly Reading[];
  /** Rows fetched by table by the statistics of the server, which include reads of functions. */
  readonly fetched: ReadonlyMap<string, number>;
  readonly scanned: readonly string[];
};

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly PlanNode[];
};

/** A connection like that of the product that records every statement before it is sent. */
export class Recorder {
  readonly sql: Pool;
  readonly #owner: Owner;
  #statements: Recorded[] = [];

  constructor(address: EmbeddedAddress) {
    this.#owner = openAsOwner(address, { ...PLANNER });
    this.sql = recordingPool(this.#owner, (statement) => this.#statements.push(statement));
  }

  /** The statements sent during the call. */
  async statementsOf(work: (db: Pool) => Promise<unknown>): Promise<Recorded[]> {
    this.#statements = [];
    await work(this.sql);
    return this.#statements;
  }

  close(): Promise<void> {
    return this.#owner.close();
  }
}

/** Runs a statement under EXPLAIN ANALYZE, with a custom or a generic plan. */
export async function observe(
  db: Sql,
  { text, values }: Recorded,
  plan: 'custom' | 'generic',
): Promise<Observed> {
  const execute = `execute observed${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;
  await db.script(`set plan_cache_mode = force_${plan}_plan`);
  await db.script(`prepare observed as ${text}`);
  try {
    const before = await tableCounters(db);
    const [row] = await db.rows(
      sql<{
        'QUERY PLAN': { Plan: PlanNode }[];
      }>`explain (analyze, format json, timing off) ${written(execute)}`,
    );
    const after = await tableCounters(db);
    const root = row?.['QUERY PLAN'][0]?.Plan;
    if (!root) throw new Error('no plan came back');
    const grown = [...after].map(([table, now]) => ({ table, now, past: before.get(table) }));
    return {
      readings: readingsOf(root),
      fetched: new Map(grown.map(({ table, now, past }) => [table, now.fetched - (past?.fetched ?? 0)])),
      scanned: grown.filter(({ now, past }) => now.scans > (past?.scans ?? 0)).map(({ table }) => table),
    };
  } finally {
    await db.script('deallocate observed');
  }
}

function readingsOf(node: PlanNode): Reading[] {
  const inner = (node.Plans ?? []).flatMap(readingsOf);
  const table = node['Relation Name'];
  if (table === undefined) return inner;
  const looked =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = Math.round(looked * node['Actual Loops']);
  const indexOnly = node['Node Type'] === 'Index Only Scan';
  return [
    {
      node: [node['Node Type'], node['Index Name']].filter(Boolean).join(' by '),
      table,
      heapRows: indexOnly ? (node['Heap Fetches'] ?? 0) : rows,
      indexEntries: indexOnly ? rows : 0,
    },
    ...inner,
  ];
}

type Counters = { readonly fetched: number; readonly scans: number };

async function tableCounters(db: Sql): Promise<Map<string, Counters>> {
  const rows = await db.rows(
    sql<{ table: string } & Counters>`
    select relname::text as table, coalesce(seq_tup_read, 0)::int + coalesce(idx_tup_fetch, 0)::int as fetched, seq_scan::int as scans
    from pg_stat_xact_user_tables`,
  );
  return new Map(rows.map(({ table, ...counters }) => [table, counters]));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A value as a literal in a statement. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return quoted(value.toISOString());
  if (Array.isArray(value)) return quoted(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`);
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
