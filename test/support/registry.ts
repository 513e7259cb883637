import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { inject } from 'vitest';
import { assembleSandbox } from '../../src/app/sandbox.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { createLog } from '../../src/platform/logging.ts';
import { type Database, type Owner, openDatabase } from '../../src/platform/database/database.ts';
import { codeOf } from '../../src/platform/database/database-errors.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { noteServerOfThisProcess } from './document.ts';
import { STARTED_TEMPLATE, TEMPLATE } from './global-setup.ts';
import { onTestFinished } from './this-test.ts';
import { type KeptLog, logs } from './warnings.ts';

export type TestRegistry = {
  readonly url: string;
  readonly metricsUrl: string;
  /** The database behind it, with the rights of its owner. */
  readonly sql: Pool;
  /** Every line that was logged so far. */
  readonly logged: () => string;
  readonly databaseName: string;
  stop(): Promise<void>;
};

/** A log that can be read. */
export function keptLog(): KeptLog {
  let lines: string[] = [];
  let forgotten = 0;
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return {
    sink,
    logged: () => lines.join(''),
    count: () => forgotten + lines.length,
    since: (count) => lines.slice(Math.max(0, count - forgotten)),
    forget: () => {
      forgotten += lines.length;
      lines = [];
    },
  };
}

/** The one connection of this worker that makes and drops databases; it ends with the worker. */
let administrator: Promise<Owner> | undefined;

/** A database of one's own, a copy of the seeded template. */
export async function createTestDatabase(
  template: string = TEMPLATE,
): Promise<{ name: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  administrator ??= connectAsOwner(inject('server'));
  const { script } = await administrator;
  await onceUnused(() => script(`create database ${name} template ${template} strategy file_copy`));
  return { name, drop: () => onceUnused(() => script(`drop database if exists ${name} with (force)`)) };
}

const IN_USE = '55006';
const MAX_ATTEMPTS = 6;

/** The server waits five seconds for sessions that are about to end: on a busy machine they may take longer. */
async function onceUnused(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== IN_USE || attempt === MAX_ATTEMPTS) throw error;
    }
}

/** A database of one's own, opened as often as several processes would open it. */
export async function openTestDatabase(
  processes = 1,
): Promise<{ readonly databases: readonly Database[]; close(): Promise<void> }> {
  const { name, drop } = await createTestDatabase();
  const target = { ...inject('server'), database: name };
  const databases = Array.from({ length: processes }, () =>
    openDatabase(target, readConfig('sandbox', {}), 'Europe/Tallinn'),
  );
  const close = async () => {
    await Promise.all(databases.map((database) => database.close()));
    await drop();
  };
  return { databases, close };
}

/** Those of this worker that nobody uses: a reset is cheaper than a start. More than one would only cost time of the processor. */
const idle: StartedRegistry[] = [];
const MAX_IDLE = 1;
type StartedRegistry = TestRegistry & { readonly reset: () => Promise<void>; readonly forgetLog: () => void };

/** The whole product over real HTTP, as it is after a reset; the next file of this worker may have it afterwards. */
export async function startRegistry(): Promise<TestRegistry> {
  const known = idle.pop();
  await known?.reset();
  const registry = known ?? (await startFreshRegistry());
  registry.forgetLog();
  noteServerOfThisProcess(registry.url);
  return {
    ...registry,
    stop: async () => (idle.length < MAX_IDLE ? void idle.push(registry) : registry.stop()),
  };
}

/** The whole product over real HTTP on a database of its own, with nothing in its memory. */
export async function startFreshRegistry(
  overrides: Partial<Config> = {},
  prepare?: (db: Owner) => Promise<unknown>,
): Promise<StartedRegistry> {
  const { name, drop } = await createTestDatabase(STARTED_TEMPLATE);
  const target = { ...inject('server'), database: name };
  const log = keptLog();
  logs.add(log);
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-'));
  const config: Config = {
    ...readConfig('sandbox', {}),
    home,
    port: 0,
    metricsPort: 0,
    // Its certificates take time to make; tests that need EPP say so.
    eppPort: 'off',
    dnsPort: 'off',
    whoisPort: 'off',
    readConnections: 1,
    listConnections: 2,
    writeConnections: 4,
    ...overrides,
  };
  const db = await connectAsOwner(target);
  await prepare?.(db);
  const product = await assembleSandbox(config, target, createLog('info', log.sink));
  noteServerOfThisProcess(product.url);
  return {
    url: product.url,
    metricsUrl: String(product.metricsUrl),
    sql: db,
    databaseName: name,
    logged: log.logged,
    forgetLog: log.forget,
    reset: async () => {
      const { status } = await fetch(`${product.url}/sandbox/reset`, { method: 'POST' });
      if (status !== 200) throw new Error(`the reset was answered with ${status}`);
    },
    stop: async () => {
      await product.stop();
      await db.close();
      await drop();
      rmSync(home, { recursive: true });
      logs.delete(log);
    },
  };
}

/** A registry for one test, ended with it. */
export async function registryForThisTest(): Promise<TestRegistry> {
  return endedWithTest(await startRegistry());
}

/** The same with nothing in its memory: for settings of its own, figures, and what a reset does not mend. */
export async function freshRegistryForThisTest(
  ...how: Parameters<typeof startFreshRegistry>
): Promise<TestRegistry> {
  return endedWithTest(await startFreshRegistry(...how));
}

function endedWithTest(registry: TestRegistry): TestRegistry {
  onTestFinished(() => registry.stop());
  return registry;
}
