import type { Refusal } from '../../../operations/refusal.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Context } from '../../operation.ts';
import type { Domain } from '../domain.ts';
import type { DomainChange } from '../persist-domains.ts';
import { refusal } from '../rules/domain-refusals.ts';
import { replaceOnEach } from './replace-on-each.ts';

/** What became of one domain of a bulk change in which each succeeds or fails by itself. */
export type RowResult =
  | { readonly name: string; readonly outcome: 'changed' | 'unchanged' }
  | { readonly name: string; readonly outcome: 'refused'; readonly refusal: Refusal };

export type RowChange = {
  /** What history calls it. */
  readonly operation: string;
  readonly check: (before: Domain) => readonly Refusal[];
  /** The domain itself where nothing would be different; asked only if nothing forbids it. */
  readonly change: (before: Domain) => Domain;
};

/** The same decision for each of the named domains that is the caller's, in the order of the names. */
export const changeEach = (
  db: Sql,
  names: readonly string[],
  { operation, check, change }: RowChange,
  context: Context,
): Promise<RowResult[]> =>
  decideEach(
    db,
    names,
    (before) => {
      const [wrong] = check(before);
      if (wrong) return { refusal: wrong };
      const after = change(before);
      return after === before ? {} : { change: { operation, before, after } };
    },
    context,
  );

/** What becomes of one domain; neither where nothing would be different. */
export type RowDecision = { readonly refusal?: Refusal; readonly change?: DomainChange };

/** The same with all that a change can write besides the domain. */
export async function decideEach(
  db: Sql,
  names: readonly string[],
  decide: (before: Domain) => RowDecision,
  context: Context,
): Promise<RowResult[]> {
  const results = new Map<string, RowResult>();
  const decideOne = (before: Domain) => {
    const { name } = before;
    const { refusal: wrong, change } = decide(before);
    const outcome = change ? 'changed' : 'unchanged';
    results.set(name, wrong ? { name, outcome: 'refused', refusal: wrong } : { name, outcome });
    return wrong ? undefined : change;
  };
  await replaceOnEach(db, sql`select id from domains where name = any(${names}::text[])`, decideOne, context);
  for (const row of await refuseForeign(
    db,
    names.filter((name) => !results.has(name)),
  ))
    results.set(row.name, row);
  return names.flatMap((name) => results.get(name) ?? []);
}

/** The refusals of names that are no domains of the caller. */
async function refuseForeign(db: Sql, names: readonly string[]): Promise<RowResult[]> {
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
