import { sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';

/**
 * Contacts that a domain of the part `changed` no longer has: they are archived when no domain has had them for months.
 * The time is exact to a day, so that a contact of many domains is not written for each of them.
 */
export function rememberUnlinked(ids: readonly number[], now: Date): Part<'unlinked', 'changed'> | undefined {
  if (ids.length === 0) return undefined;
  const sorted = [...new Set(ids)].toSorted((one, other) => one - other);
  return part(
    'unlinked',
    ['changed'],
    sql`
    update contacts c set last_linked_at = ${now}
    where c.id = any(${sorted}::bigint[]) and coalesce(c.last_linked_at <= ${now}::timestamptz - interval '1 day', true) and exists (select from changed)`,
  );
}
