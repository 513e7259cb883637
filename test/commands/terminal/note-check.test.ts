import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { BackupExists } from '../../../src/backup/backup-error.ts';
import { withNote } from '../../../src/commands/terminal/note-check.ts';
import {
  type CommandEnvironment,
  runWithEnvironment,
} from '../../../src/platform/config/command-environment.ts';
import { listUnfinished } from '../../../src/platform/recorded-checks.ts';
import { type ProductionDatabase, productionDatabase } from '../../support/cadastre.ts';
import { sql } from '../../support/sql.ts';

let database: ProductionDatabase;
beforeEach(async () => {
  database = await productionDatabase();
});

const unfinished = async () => (await listUnfinished(database.sql)).map(({ kind }) => kind);
const recorded = () =>
  database.sql.rows(sql`select detail, succeeded from operator_checks where kind = 'backup'`);
/** A backup that does this while its beginning is recorded. */
const backUp = async (work: () => Promise<string>, url = database.url) => {
  const stderr = new PassThrough();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  const environment = { ...process, ...streams, env: { DATABASE_URL: url } } as CommandEnvironment;
  const noted = () => withNote('backup', work, (detail) => ({ detail }));
  const outcome = await runWithEnvironment(environment, noted).catch(String);
  return { outcome, told: String(stderr.read() ?? '') };
};

test('success: a check is unfinished while it runs', async () => {
  const { outcome } = await backUp(async () => (await unfinished()).join());
  expect(outcome).toBe('backup');
  expect(await unfinished()).toEqual([]);
  expect(await recorded()).toEqual([{ detail: 'backup', succeeded: true }]);
});

test('failure: a check that fails has ended; one that found its result there already has not begun', async () => {
  await backUp(() => Promise.reject(new Error('no space')));
  expect(await unfinished()).toEqual([]);
  const { outcome } = await backUp(() => Promise.reject(new BackupExists('it is there')));
  expect(outcome).toBe('BackupExists: it is there');
  expect(await unfinished()).toEqual([]);
  expect(await recorded()).toMatchObject([{ succeeded: false }]);
});

test('failure: a registry that cannot be reached is told of once, and the check is as good', async () => {
  const { outcome, told } = await backUp(async () => 'made', 'postgres://nobody@127.0.0.1:1/nowhere');
  expect(outcome).toBe('made');
  expect(told).toMatch(/^The result was not recorded, so that alerts do not see it: .*\n$/);
});
