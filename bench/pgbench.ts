import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddedAddress } from '../src/embedded-postgres/embedded-postgres.ts';
import { openAsOwner } from '../src/platform/database/database.ts';
import type { Pool } from '../src/platform/sql/executor.ts';
import { PLANNER } from '../src/platform/database/session-settings.ts';
import { ee } from '../src/policy/ee.ts';
import { literal } from '../test/performance/plans.ts';
import { sql } from '../test/support/sql.ts';
import type { Recorded, Statement } from './statements.ts';

const run = promisify(execFile);
const SETTINGS = {
  role: 'cadastre_app',
  TimeZone: ee.timeZone,
  ...PLANNER,
  plan_cache_mode: 'force_generic_plan',
};
const MAX_SCRIPTS = 20;
/** For each client, where a second is longer than what was asked for: pgbench counts in whole ones. */
const SHORT_TRIAL_TRANSACTIONS = 20;
/** A number of ten digits that no other client and no other request has. */
const COUNTING = '\\set count :count + 1\n\\set own 1000000000 + :client_id * 10000000 + :count';

/** The statements by PostgreSQL's own client, how often a second; undefined where it is not installed. */
export async function pgbench(
  { host, port, username, database }: EmbeddedAddress,
  recorded: readonly Recorded[],
  clients: number,
  seconds: number,
): Promise<number | undefined> {
  if (!(await isInstalled())) return undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-bench-'));
  const db = openAsOwner({ host, port, username, database });
  try {
    const files: string[] = [];
    for (const [index, { statements, marks }] of recorded.slice(0, MAX_SCRIPTS).entries()) {
      const lines: string[] = [COUNTING];
      for (const statement of statements) lines.push(`${await inlined(db, statement, marks)};`);
      files.push(path.join(folder, `${index}.sql`));
      writeFileSync(files.at(-1) ?? '', `${lines.join('\n')}\n`);
    }
    const at = ['-h', host, '-p', String(port), '-U', username];
    const how = [
      '-n',
      '-D',
      'count=0',
      '-M',
      'prepared',
      '-c',
      String(clients),
      ...(seconds < 1 ? ['-t', String(SHORT_TRIAL_TRANSACTIONS)] : ['-T', String(Math.round(seconds))]),
    ];
    const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
    const { stdout } = await run(
      'pgbench',
      [...at, ...how, ...files.flatMap((file) => ['-f', file]), database],
      {
        env: { ...process.env, PGOPTIONS: options.join(' ') },
      },
    );
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  } finally {
    await db.close();
    rmSync(folder, { recursive: true });
  }
}

let installed: Promise<boolean> | undefined;
function isInstalled(): Promise<boolean> {
  installed ??= run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  return installed;
}

/**
 * The statement with its values written into it, each as what the server takes it for. It is prepared once per client
 * all the same. pgbench takes every colon before a letter for a variable, also within quotes.
 */
async function inlined(
  db: Pool,
  { text, values: parameters }: Statement,
  marks: readonly string[],
): Promise<string> {
  await db.script(`prepare recorded as ${text}`);
  const [row] = await db.rows(sql<{ types: string[] }>`
    select parameter_types::text[] as types from pg_prepared_statements where name = 'recorded'`);
  await db.script('deallocate recorded');
  const values = parameters.map((value, index) => written(value, row?.types[index] ?? 'text', marks));
  return text
    .replace(/'(?:[^']|'')*'/g, (quoted) => withoutColons(quoted))
    .replace(/\$(\d+)\b/g, (_, number: string) => values[Number(number) - 1] ?? 'null')
    .replaceAll('\n', ' ');
}

const withoutColons = (quoted: string): string =>
  quoted.includes(':') ? `E${quoted.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}` : quoted;

/** The value as the type that the server takes it for; where a mark stands in it, another one each time. */
function written(value: unknown, type: string, marks: readonly string[]): string {
  const text = withoutColons(literal(value));
  const found = marks.filter((mark) => text.includes(mark));
  const fresh = found.reduce((inner, mark) => `replace(${inner}, '${mark}', :own::text)`, text);
  return `(${fresh})::${type}`;
}
