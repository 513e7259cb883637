import { inject } from 'vitest';
import { bankDependencies } from '../../src/app/assemble-billing.ts';
import type { BankDependencies } from '../../src/billing/bank/import-statement.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { TestRegistry } from './registry.ts';
import { sql } from './sql.ts';

/** Valid by the 7-3-1 method. */
export const ALPHA_REFERENCE = '1234561';
export const BETA_REFERENCE = '7654323';

/** What a worker takes statements in with, in its own role, and the registrars' reference numbers. */
export async function openBank(
  registry: TestRegistry,
  environment: Record<string, string> = {},
): Promise<BankDependencies & { close(): Promise<void> }> {
  const { sql: db, databaseName } = registry;
  await db.run(sql`
    insert into reference_numbers (number, initiator, owner, created_at)
    values (${ALPHA_REFERENCE}, 'registry', 'ALPHA', now()), (${BETA_REFERENCE}, 'registry', 'BETA', now())`);
  const config = readConfig('sandbox', environment);
  const database = openDatabase({ ...inject('server'), database: databaseName }, config, ee.timeZone);
  return { ...bankDependencies(config, ee, database.writes), close: () => database.close() };
}
