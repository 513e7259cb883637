import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, inject, test } from 'vitest';
import { createBackup } from '../../src/backup/create-backup.ts';
import type { Engine } from '../../src/backup/manifest.ts';
import { readTables } from '../../src/backup/read-tables.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { identifier } from '../../src/platform/sql/statement.ts';
import { audit } from '../../torture/auditor.ts';
import { cadastre, databaseUrl, type Environment, startServe } from '../support/cadastre.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { install, makeLogins, makeTraffic } from '../support/production-set-up.ts';
import { sql } from '../support/sql.ts';
import { findPostgres15, startStockPostgres } from '../support/stock-postgresql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

/** Writers that are busy while the backup is made; the long form has more of them, for longer. */
const IS_LONG = process.env.TORTURE !== undefined;
const WRITERS = IS_LONG ? 8 : 3;
const ROUNDS_BEFORE = IS_LONG ? 20 : 1;
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

/** The rows of a snapshot that another session holds. */
async function rowsOfSnapshot(db: Pool, snapshot: string): Promise<Rows> {
  return db.begin(async (transaction) => {
    await transaction.script(
      `set transaction isolation level repeatable read; set transaction snapshot '${snapshot}'`,
    );
    return rowsOf(transaction);
  });
}

/** Sends requests until it is stopped; returns how many names were registered. */
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

type Place = { readonly owner: string; readonly serve: string };

/** Backs up one database under writes, restores it into the other, which is empty, and compares. */
async function drill(engine: Engine, original: Place, copy: Place, trial?: Place): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-drill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keyFile = path.join(folder, 'key');
  writeFileSync(keyFile, `${KEY}\n`, { mode: 0o600 });
  await install({ DATABASE_OWNER_URL: original.owner, DATABASE_URL: original.serve });
  const server = await startServe(original.serve);
  onTestFinished(async () => void (await server.stop()));
  for (let round = 0; round < ROUNDS_BEFORE; round++) await makeTraffic(server.url, 3);

  const stopWriting = keepWriting(server.url);
  const source = await connectAsOwner(original.owner);
  onTestFinished(() => source.close());
  let expected: Rows = {};
  const { file, rows } = await createBackup({
    target: original.owner,
    config: readConfig('production', {}),
    output: folder,
    key: { bytes: Buffer.from(KEY) },
    now: new Date(),
    program: 'drill',
    engine,
    onSnapshot: async (snapshot) => {
      expected = await rowsOfSnapshot(source, snapshot);
    },
  });
  const written = await stopWriting();
  expect(written).toBeGreaterThan(0);
  expect(Object.values(expected).reduce((sum, table) => sum + table.length, 0)).toBe(rows);

  const env = { DATABASE_OWNER_URL: copy.owner, DATABASE_URL: copy.serve, BACKUP_KEY_FILE: keyFile };
  expect(await cadastre(['restore', file, '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
  const restored = await connectAsOwner(copy.owner);
  onTestFinished(() => restored.close());
  const found = await rowsOf(restored);
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  // The one row that differs on purpose is the mark of a copy.
  for (const [table, list] of Object.entries(found))
    if (table !== 'installation') expect(list, table).toEqual(expected[table]);
  expect((await rowsOf(source)).domains?.length).toBeGreaterThan(expected.domains?.length ?? 0);
  expect(await audit(restored)).toEqual([]);
  expect(await cadastre(['ledger', 'check'], { env })).toMatchObject({ code: 0 });
  if (trial) await tryOut(file, env, trial);
}

/** The command that leaves its database as empty as it was; twice, since the second one needs that. */
async function tryOut(file: string, env: Environment, { owner }: Place): Promise<void> {
  for (let round = 0; round < 2; round++)
    expect(
      await cadastre(['backup', 'drill', file], { env: { ...env, DRILL_DATABASE_URL: owner } }),
    ).toMatchObject({ code: 0, stderr: '' });
}

/** An empty database with the two logins of docs/operate/install.md, neither of which is a superuser. */
async function emptyPlace(server: EmbeddedAddress): Promise<Place> {
  const name = `drill_${randomBytes(6).toString('hex')}`;
  const { owner, serving, drop } = await makeLogins({ ...server, database: 'postgres' }, name);
  onTestFinished(drop);
  const at = (username: string) => databaseUrl(name, { ...server, username });
  return { owner: at(owner), serve: at(serving) };
}

describe('the drill', () => {
  test('success: a backup under writes, restored elsewhere, equals the snapshot row by row, and passes the audit', async () => {
    const server = inject('server');
    await drill('copy', await emptyPlace(server), await emptyPlace(server));
  });

  test.runIf(IS_LONG)('success: the same with pg_dump, and from one server to another', async ({ skip }) => {
    const binaries = findPostgres15();
    if ('reason' in binaries) return skip(binaries.reason);
    const { host, port, superuser, stop } = await startStockPostgres(binaries);
    onTestFinished(stop);
    const stock = { host, port, username: superuser, database: 'postgres' };
    await drill('pg_dump', await emptyPlace(stock), await emptyPlace(stock), await emptyPlace(stock));
    await drill('copy', await emptyPlace(stock), await emptyPlace(inject('server')));
  });
});
