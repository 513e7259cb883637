import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** A registrar as it was when a change was decided on. */
export type FoundRegistrar = { readonly id: number; readonly version: number };

export const loadRegistrar = (db: Sql, code: string): Promise<FoundRegistrar | undefined> =>
  db.maybe(sql<FoundRegistrar>`select id, version from registrars where code = ${code}`);

/** The registrar that an operator names by its code. */
export function requireRegistrar<Found>(found: Found | undefined, registrar: string): Found {
  return found ?? refuse('registrarMissing', { registrar });
}
