import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type HistoryRow = {
  readonly at: Date;
  readonly operation: string;
  readonly actor: string;
  readonly registrar: string | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  /** In cents. */
  readonly charged: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

/** The whole life of whatever has or had this name, oldest first. */
export async function readHistory(db: Sql, kinds: readonly string[], name: string): Promise<HistoryRow[]> {
  return db.rows(sql<HistoryRow>`
    select h.at, h.operation, h.actor, r.code as registrar, h.reason, h.request_id as "requestId", h.before, h.after,
      (select e.amount::text from ledger_entries e where e.history_id = h.id) as charged
    from history h left join registrars r on r.id = h.registrar_id
    where h.object_kind = any(${kinds as string[]}::text[]) and h.object_name = ${name} order by h.id`);
}

/** The members that a change gave another value, as `name: before → after`. */
export function differences({ before, after }: Pick<HistoryRow, 'before' | 'after'>): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (value: unknown) => (value === undefined ? '-' : JSON.stringify(value));
  return names.flatMap((name) => {
    const [was, is] = [text(before?.[name]), text(after?.[name])];
    if (was === is) return [];
    if (!before) return [`${name}: ${is}`];
    return after ? [`${name}: ${was} → ${is}`] : [];
  });
}
