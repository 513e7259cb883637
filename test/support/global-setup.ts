import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { sandboxEppIdentity } from '../../src/app/sandbox-epp-identity.ts';
import { seedDatabaseWithin } from '../../src/app/seed.ts';
import {
  type EmbeddedAddress,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.ts';
import type { Owner } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { ee } from '../../src/policy/ee.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { PREPARED_HOME } from './prepared-home.ts';
import { quicklyHashedSeedLogins } from './quick-passwords.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    server: EmbeddedAddress;
    observations: string;
  }
}

/** The database that every test's own one is copied from: migrated and seeded. */
export const TEMPLATE = 'template_sandbox';
/** The same for registries: each job has run once. */
export const STARTED_TEMPLATE = 'template_started';
/** The same for tests of production: migrated, with nothing in it. */
export const PRODUCTION_TEMPLATE = 'template_production';

/** Where the run notes every answer it saw; status-table.ts makes a table of them. */
export const OBSERVATIONS = path.join(import.meta.dirname, '../../coverage/observations');

/** vitest.config.ts names it to whatever tests start. */
const COMPILED = path.join(import.meta.dirname, '../../coverage/compiled');
const SRC = path.join(import.meta.dirname, '../../src');
const FIRST_JOBS = path.join(import.meta.dirname, 'first-jobs.ts');

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

/** A file system in memory, where there is room: a database of 400 files is copied in 20 ms there, on a disk in 300. */
export function placeOfData(): string {
  if (!existsSync(MEMORY)) return os.tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY : os.tmpdir();
}

/** One real PostgreSQL for the whole run. Losing its data in a crash is no loss, so it does not sync. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(path.join(placeOfData(), 'cadastre-test-'));
  chmodSync(home, 0o711); // as root the server runs under another account, which must be able to come in
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // A session of a test is short: workers that read for it cost more than they save.
    io_method: 'sync',
    max_connections: '300',
    // Every truncation, every drop and every checkpoint goes through all of them; the databases of tests are small.
    shared_buffers: '32MB',
    // The auditor of torture reads when something was committed.
    track_commit_timestamp: 'on',
  };
  const at = new Date();
  const [prepared] = await Promise.all([prepareHome(home, at), compileProduct()]);
  const server = await startEmbeddedPostgres(home, { settings });
  await createDatabase(server.address, TEMPLATE, server.address.database);
  await createDatabase(server.address, STARTED_TEMPLATE, TEMPLATE);
  await createDatabase(server.address, PRODUCTION_TEMPLATE, 'template1');
  await Promise.all([
    runFirstJobs({ ...server.address, database: STARTED_TEMPLATE }, home),
    withOwner({ ...server.address, database: PRODUCTION_TEMPLATE }, (owner) =>
      migrate(owner, 'production', at),
    ),
  ]);
  project.provide('server', server.address);
  // A file that is repeated adds to what the run before it has seen.
  if (!process.env.KEEP_OBSERVATIONS) rmSync(OBSERVATIONS, { recursive: true, force: true });
  mkdirSync(OBSERVATIONS, { recursive: true });
  project.provide('observations', OBSERVATIONS);
  return async () => {
    await server.stop();
    for (const directory of [home, prepared]) rmSync(directory, { recursive: true, force: true });
  };
}

/** Many processes load the product, the first ones at the same time: where nobody has, one does so before them. */
async function compileProduct(): Promise<void> {
  if (existsSync(COMPILED)) return;
  const modules = ['sandbox', 'production'].map((name) => pathToFileURL(path.join(SRC, `app/${name}.ts`)));
  const load = modules.map((url) => `await import('${url}');`).join('');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
}

/** In a process of its own, so that the one that leads the run need not load the product. */
async function runFirstJobs(address: EmbeddedAddress, home: string): Promise<void> {
  await promisify(execFile)(process.execPath, [FIRST_JOBS, JSON.stringify(address), home], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
}

/**
 * Makes the database and the certificates of a sandbox that was started once, and a copy of its home: a process that is
 * started on a copy of that need not make them, which takes most of the time of a first start.
 */
async function prepareHome(home: string, at: Date): Promise<string> {
  const server = await startEmbeddedPostgres(home, { settings: { fsync: 'off' } });
  await withOwner(server.address, async (owner) => {
    await migrate(owner, 'sandbox', at);
    const logins = await quicklyHashedSeedLogins();
    await owner.begin((db) => seedDatabaseWithin(db, ee, at, logins));
  });
  await server.stop();
  await sandboxEppIdentity(home, at);
  const prepared = `${home}-prepared`;
  execFileSync('cp', ['-Rp', home, prepared]);
  process.env[PREPARED_HOME] = prepared; // the workers inherit it, and what they start
  return prepared;
}

async function createDatabase(server: EmbeddedAddress, name: string, template: string): Promise<void> {
  await withOwner({ ...server, database: 'postgres' }, (owner) =>
    owner.script(`create database ${name} template ${template}`),
  );
}

async function withOwner(server: EmbeddedAddress, work: (owner: Owner) => Promise<unknown>): Promise<void> {
  const owner = await connectAsOwner(server);
  try {
    await work(owner);
  } finally {
    await owner.close();
  }
}
