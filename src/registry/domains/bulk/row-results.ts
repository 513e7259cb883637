import type { Refusal } from '../../../operations/refusal.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { refusal } from '../rules/domain-refusals.ts';

/** What became of one domain of a bulk change in which each succeeds or fails by itself. */
export type RowResult =
  | { readonly name: string; readonly outcome: 'changed' | 'unchanged' }
  | { readonly name: string; readonly outcome: 'refused'; readonly refusal: Refusal };

/** The refusals of names that are no domains of the caller. */
export async function refuseForeign(db: Sql, names: readonly string[]): Promise<RowResult[]> {
  if (names.length === 0) return [];
  const rows = await db.rows(sql<{ name: string }>`
    select name from domains where name = any(${names}::text[])`);
  const present = new Set(rows.map(({ name }) => name));
  return names.map((name) => ({
    name,
    outcome: 'refused',
    refusal: present.has(name) ? refusal('notSponsor') : refusal('bodyObjectMissing', { object: name }),
  }));
}
