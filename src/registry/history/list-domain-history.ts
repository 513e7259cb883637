import { isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { isoTime, sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import { refuse } from '../registry-refusals.ts';

/** A change of a domain as its sponsor of that time is told of it. */
export type DomainHistoryEntry = {
  readonly id: number;
  readonly at: string;
  /** The user or person of the registrar that made it; staff of the registry have no names here. */
  readonly user: string | null;
  /** What the registry's staff gave as the reason, for the registrar. */
  readonly reason: string | null;
  readonly charged: string | null;
  /** What events say of it, as JSON text. */
  readonly content: string;
};

type Request = { readonly name: string; readonly after: Position | undefined; readonly limit: number };

/**
 * What happened to a domain, and to those that had its name before, while the registrar was the sponsor; newest first.
 * Changes by the registry from before sponsors were recorded are those of the present sponsor since it got the domain.
 */
export async function listDomainHistory(
  db: Sql,
  { name, after, limit }: Request,
  { registrarId }: RegistrarScope,
): Promise<{ readonly entries: readonly DomainHistoryEntry[]; readonly next: Position | undefined }> {
  const further = after ? sql`and h.id < ${after.key}::text::bigint` : sql``;
  const rows = await db
    .rows(sql<DomainHistoryEntry>`
      select h.id, ${isoTime(sql`h.at`)} as at,
        case when h.registrar_id = ${registrarId} and is_own_change(h) then substr(h.actor, strpos(h.actor, ':') + 1) end as user,
        h.reason_for_registrar as reason,
        (select to_char(e.amount / 100.0, 'FM999999999999990.00') from ledger_entries e where e.history_id = h.id and e.registrar_id = ${registrarId}) as charged,
        event_of_change(h, 'domain.updated')::text as content
      from history h
      where h.object_kind = 'domain' and h.object_name = ${name} ${further}
        and (h.registrar_id = ${registrarId} or h.registrar_id is null and h.sponsor_id = ${registrarId}
          or h.registrar_id is null and h.sponsor_id is null and exists (
            select from domains d where d.id = h.object_id and d.registrar_id = ${registrarId}
              and h.at >= coalesce((select max(t.transferred_at) from transfers t where t.domain_id = d.id), d.created_at)))
      order by h.id desc limit ${limit}::bigint + 1`)
    .catch(noneInOldSchema);
  if (rows.length === 0 && !after) await requireOwn(db, name, registrarId);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    entries: rows.slice(0, limit),
    next: last && { key: String(last.id), id: last.id },
  };
}

/** The schema of 0.5.0 has no functions for it yet. */
function noneInOldSchema(error: unknown): DomainHistoryEntry[] {
  if (isNotInSchema(error)) return [];
  throw error;
}

async function requireOwn(db: Sql, name: string, registrarId: number): Promise<void> {
  const sponsor = await db.maybe(sql<{ id: number }>`
    select registrar_id as id from domains where name = ${name}`);
  if (!sponsor) refuse('objectMissing');
  if (sponsor.id !== registrarId) refuse('notSponsor');
}
