import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBackup } from '../../src/backup/create-backup.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { Cluster } from '../../torture/database/cluster.ts';
import { cadastre } from '../support/cadastre.ts';
import { placeOfHomes } from '../support/prepared-home.ts';
import { sql } from '../support/sql.ts';

const home = mkdtempSync(path.join(placeOfHomes(), 'cadastre-standby-'));
chmodSync(home, 0o711); // as root the database runs under another account, which needs access
const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-backups-'));
const MINUTE_MS = 60_000;
/** When the worker last wrote; the time of the data. */
const worked = new Date(Date.now() - 5 * MINUTE_MS);
const AHEAD = new Date(Date.now() + 420 * 24 * 60 * MINUTE_MS);
let cluster: Cluster;
/** As docs/operate/backups.md describes it: a login that reads, and does nothing else. */
let readerUrl: string;

beforeAll(async () => {
  cluster = await Cluster.open(home, { addressMode: 'hosts', hasStandby: true });
  await cluster.withOwner(async (db) => {
    await migrate(db, 'production', new Date(worked.getTime() - MINUTE_MS));
    await db.run(sql`
      insert into jobs (name, due_at, interval_ms, finished_at) values ('lifecycle', ${worked}, 60000, ${worked}), ('of a wrong clock', ${AHEAD}, 60000, ${AHEAD})`);
    await db.script('create role reader login; grant pg_read_all_data to reader');
  });
  if (!cluster.standby) throw new Error('there is no standby');
  readerUrl = cluster.urlOf(cluster.standby).replace(/\/\/[^@]+@/, '//reader@');
  writeFileSync(path.join(folder, 'key'), 'a key of more than sixteen characters', { mode: 0o600 });
});
afterAll(async () => {
  await cluster.close(false);
  for (const each of [home, folder]) rmSync(each, { recursive: true });
});

const backUp = (output: string, ...options: string[]) => backUpFrom(readerUrl, output, ...options);
const backUpFrom = (url: string, output: string, ...options: string[]) =>
  cadastre(['backup', 'create', output, '--json', ...options], {
    env: {
      BACKUP_DATABASE_URL: url,
      DATABASE_URL: cluster.url,
      BACKUP_KEY_FILE: path.join(folder, 'key'),
    },
  });
const isOnStandby = (condition: ReturnType<typeof sql>) => async () =>
  (
    await cluster.withOwner(
      (db) => db.one(sql<{ yes: boolean }>`select ${condition} as yes`),
      cluster.standby,
    )
  ).yes;

describe.skipIf(process.platform !== 'linux')('a backup of a standby', () => {
  test('success: one that follows is read by a login that may read only, and the backup is dated by its data', async () => {
    await expect.poll(isOnStandby(sql`exists (select from jobs)`)).toBe(true);
    const made = await backUp(path.join(folder, 'followed.age'));
    expect(made).toMatchObject({ code: 0 });
    const { createdAt, dataAt, rows } = JSON.parse(made.stdout);
    expect(dataAt).toBe(worked.toISOString());
    expect(Date.parse(createdAt)).toBeGreaterThan(worked.getTime());
    expect(rows).toBeGreaterThan(0);
  });

  test('success: the standby is preferred where all servers are listed, and the primary taken where none is left', async () => {
    const all = cluster.url.replace('read-write', 'prefer-standby').replace(/\/\/[^@]+@/, '//reader@');
    const made = await backUpFrom(all, path.join(folder, 'preferred.age'));
    // The time of the data is that of the run on a primary.
    expect(JSON.parse(made.stdout).dataAt).toBe(worked.toISOString());
    await cluster.setStandbyMode('async');
    await cluster.standby?.stop();
    const { createdAt, dataAt } = JSON.parse((await backUpFrom(all, path.join(folder, 'left.age'))).stdout);
    expect(dataAt).toBe(createdAt);
    await cluster.makeStandby();
    await cluster.setStandbyMode('sync');
  });

  test('failure: one that streams and has old data, as where its own source is cut off', async () => {
    const later = createBackup({
      target: readerUrl,
      config: readConfig('production', {}),
      output: folder,
      key: undefined,
      now: new Date(worked.getTime() + 11 * MINUTE_MS),
      program: 'test',
      databaseOnly: true,
    });
    await expect(later).rejects.toThrow(`that is behind: its newest data is of ${worked.toISOString()}`);
  });

  test('failure: one that follows nobody, unless its age is accepted; then the name has the time of the data', async () => {
    await cluster.primary.kill9();
    await expect
      .poll(isOnStandby(sql`not exists (select from pg_stat_get_wal_receiver() where pid is not null)`))
      .toBe(true);
    const before = readdirSync(folder);
    const refused = await backUp(folder);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `follows no other server: its newest data is of ${worked.toISOString()}. Back up the server that takes writes`,
    );
    expect(readdirSync(folder)).toEqual(before);
    const accepted = await backUp(folder, '--stale');
    expect(accepted.code).toBe(0);
    const { file, dataAt } = JSON.parse(accepted.stdout);
    expect(dataAt).toBe(worked.toISOString());
    const named = worked.toISOString().slice(0, 19).replaceAll(':', '-');
    expect(path.basename(file)).toBe(`cadastre-${named}Z.tar.gz.age`);
    const again = await backUp(folder, '--stale');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    // Nothing is recorded, so nothing says that it could not be recorded without the primary.
    expect(again.stderr).toBe(`The backup of ${worked.toISOString()} exists already: ${file}.\n`);
  });
});
