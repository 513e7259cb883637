import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { HistoryRow } from './read-history.ts';

/** What happened to an object of a registrar: a change with its charge, a message to the registrar, or a mail about it. */
export type TimelineEntry = {
  readonly kind: 'change' | 'message' | 'mail';
  readonly id: number;
  readonly at: Date;
  /** The operation of a change, the text of a message, the subject of a mail. */
  readonly what: string;
  /** A user or person of the registrar; null if the registry or a registrant acted, or for a message. */
  readonly actor: string | null;
  /** In cents. */
  readonly charged: string | null;
  /** Of a mail: as what of the object its recipient got it, whose address is not told, and what became of it. */
  readonly role: string | null;
  readonly delivery: MailDelivery | null;
} & Pick<HistoryRow, 'before' | 'after'>;

export type MailDelivery = 'sent' | 'waiting' | 'given up';

type Object = {
  readonly kind: 'domain' | 'contact';
  readonly id: number;
  readonly name: string;
  /** When it came to the registrar: what a former sponsor did is not for this one. */
  readonly since: Date;
};

const PAGE = 25;
type Row = TimelineEntry & { readonly micros: string };
/** Of a position: what happened at one time is in the order of its kinds. */
const KEY = /^(\d{1,17})\.(change|message|mail)$/;

/** Newest first, without the causes of holds, which are for operators. Mails are there as long as they are kept; afterwards the changes that sent them tell of them. */
export async function readTimeline(
  db: Sql,
  { kind, id, name, since }: Object,
  after: Position | undefined,
  { registrarId }: RegistrarScope,
): Promise<{ readonly entries: readonly TimelineEntry[]; readonly next: Position | undefined }> {
  const [, micros, lastKind] = KEY.exec(after?.key ?? '') ?? [];
  const further =
    after && micros && lastKind
      ? sql`where (entry.at, entry.kind, entry.id) < (timestamptz 'epoch' + ${micros}::text::bigint * interval '1 microsecond', ${lastKind}::text, ${after.id}::bigint)`
      : sql``;
  const found = await db.rows(sql<Row>`
    select entry.*, (extract(epoch from entry.at) * 1000000)::bigint::text as micros from (
      select 'change' as kind, h.id, h.at, h.operation as what, case when h.registrar_id = ${registrarId} then h.actor end as actor,
        (select e.amount::text from ledger_entries e where e.history_id = h.id and e.registrar_id = ${registrarId}) as charged,
        case when h.operation <> 'transfer' then h.before - 'hold_causes' end as before, case when h.operation <> 'transfer' then h.after - 'hold_causes' end as after,
        null as role, null as delivery
      from history h
      where h.object_kind = ${kind} and h.object_name = ${name} and h.object_id = ${id} and h.at >= ${since}
        and (h.registrar_id is null or h.registrar_id = ${registrarId})
      union all
      select 'message', m.id, m.created_at, m.text, null, null, null, null, null, null from poll_messages m
      where m.attached_obj_type = ${kind === 'domain' ? 'Domain' : 'Contact'} and m.attached_obj_id = ${id} and m.registrar_id = ${registrarId}
      union all
      select 'mail', l.id, l.created_at, l.subject, null, null, null, null, l.recipient_role,
        case when l.sent_at is not null then 'sent' when l.gave_up_at is not null then 'given up' else 'waiting' end
      from mails l where l.object_id = ${id} and l.registrar_id = ${registrarId} and l.object_kind = ${kind} and l.created_at >= ${since}
    ) as entry ${further} order by entry.at desc, entry.kind desc, entry.id desc ${text(`limit ${PAGE + 1}`)}`);
  const entries = found.slice(0, PAGE);
  const last = entries.at(-1);
  const next = last && { key: `${last.micros}.${last.kind}`, id: last.id };
  return { entries, next: found.length > PAGE ? next : undefined };
}
