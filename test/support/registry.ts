import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { inject } from 'vitest';
import { assembleSandbox } from '../../src/app/sandbox.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { createLog } from '../../src/platform/logging.ts';
import { openAsOwner } from '../../src/platform/sql/database.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { noteServerOfThisProcess } from './document.ts';
import { TEMPLATE } from './global-setup.ts';
import { onTestFinished } from './this-test.ts';

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
export function keptLog(): { sink: Writable; logged: () => string } {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { sink, logged: () => lines.join('') };
}

/** A database of one's own, a copy of the seeded template. */
export async function createTestDatabase(
  template: string = TEMPLATE,
): Promise<{ name: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('server');
  const admin = openAsOwner(server);
  await admin.script(`create database ${name} template ${template} strategy file_copy`);
  const drop = async () => {
    await admin.script(`drop database if exists ${name} with (force)`);
    await admin.close();
  };
  return { name, drop };
}

/** The whole product over real HTTP on a database of its own. */
export async function startRegistry(overrides: Partial<Config> = {}): Promise<TestRegistry> {
  const { name, drop } = await createTestDatabase();
  const target = { ...inject('server'), database: name };
  const { sink, logged } = keptLog();
  const config: Config = {
    ...readConfig('sandbox', {}),
    port: 0,
    metricsPort: 0,
    readConnections: 1,
    listConnections: 2,
    writeConnections: 4,
    ...overrides,
  };
  const product = await assembleSandbox(config, target, createLog('info', sink));
  noteServerOfThisProcess(product.url);
  const db = openAsOwner(target);
  return {
    url: product.url,
    metricsUrl: product.metricsUrl,
    sql: db,
    databaseName: name,
    logged,
    stop: async () => {
      await product.stop();
      await db.close();
      await drop();
    },
  };
}

/** A registry for one test, ended with it. */
export async function registryForThisTest(overrides: Partial<Config> = {}): Promise<TestRegistry> {
  const registry = await startRegistry(overrides);
  onTestFinished(() => registry.stop());
  return registry;
}
