import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'vitest';
import { seedDatabase } from '../../src/app/seed.ts';
import { createBackup } from '../../src/backup/create-backup.ts';
import type { Engine } from '../../src/backup/manifest.ts';
import { readTables } from '../../src/backup/tables.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { openAsOwner } from '../../src/platform/sql/database.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { identifier } from '../../src/platform/sql/statement.ts';
import { ee } from '../../src/policy/ee.ts';
import { audit } from '../../torture/auditor.ts';
import { cadastre, emptyDatabase, productionDatabase, startServe } from '../support/cadastre.ts';
import { makeTraffic } from '../support/production-set-up.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

/** Writers that are busy while the backup is made; the long form has more of them, for longer. */
const IS_LONG = process.env.TORTURE !== undefined;
const WRITERS = IS_LONG ? 16 : 3;
const ROUNDS_BEFORE = IS_LONG ? 100 : 2;
const KEY = 'the key of the drill, long enough';

type Rows = Readonly<Record<string, readonly string[]>>;

/** Every row of every table, as PostgreSQL writes it. */
async function rowsOf(db: Sql): Promise<Rows> {
  const found: Record<string, readonly string[]> = {};
  for (const { name } of await readTables(db)) {
    const rows = await db.rows(sql<{ row: string }>`
      select t::text as row from ${identifier(name)} t order by 1`);
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

/** What stands in a snapshot that another session holds. */
async function rowsOfSnapshot(db: Pool, snapshot: string): Promise<Rows> {
  return db.begin(async (transaction) => {
    await transaction.script(
      `set transaction isolation level repeatable read; set transaction snapshot '${snapshot}'`,
    );
    return rowsOf(transaction);
  });
}

/** Sends traffic until it is told to stop; tells how many names were registered. */
function keepWriting(url: string): () => Promise<number> {
  let isOver = false;
  let count = 0;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver) count += (await makeTraffic(url, 1)).length;
  });
  return async () => {
    isOver = true;
    await Promise.all(writers);
    return count;
  };
}

async function drill(engine: Engine): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-drill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keyFile = path.join(folder, 'key');
  writeFileSync(keyFile, `${KEY}\n`, { mode: 0o600 });
  const [original, copy] = [await productionDatabase(), await emptyDatabase()];
  await seedDatabase(original.sql, ee, new Date());
  const server = await startServe(original.url);
  onTestFinished(async () => void (await server.stop()));
  await makeTraffic(server.url, ROUNDS_BEFORE);

  const stopWriting = keepWriting(server.url);
  const witness = openAsOwner(original.url);
  onTestFinished(() => witness.close());
  let expected: Rows = {};
  const { file, rows } = await createBackup({
    ...{ target: original.url, config: readConfig('production', {}), output: folder },
    ...{ key: { bytes: Buffer.from(KEY) }, now: new Date(), program: 'drill', engine },
    onSnapshot: async (snapshot) => {
      expected = await rowsOfSnapshot(witness, snapshot);
    },
  });
  const written = await stopWriting();
  expect(written).toBeGreaterThan(0);
  expect(Object.values(expected).reduce((sum, table) => sum + table.length, 0)).toBe(rows);

  const env = { DATABASE_URL: copy.url, BACKUP_KEY_FILE: keyFile };
  expect(await cadastre(['restore', file, '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
  const found = await rowsOf(copy.sql);
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  // The one row that differs on purpose is the mark of a copy.
  for (const [table, list] of Object.entries(found))
    if (table !== 'installation') expect(list, table).toEqual(expected[table]);
  expect((await rowsOf(original.sql)).domains?.length).toBeGreaterThan(expected.domains?.length ?? 0);
  expect(await audit(copy.sql)).toEqual([]);
  expect(await cadastre(['ledger', 'check'], { env })).toMatchObject({ code: 0 });
}

describe('the drill', () => {
  test('success: what is backed up under writes and restored elsewhere is the snapshot, row by row, and passes the audit', () =>
    drill('copy'));
});
