import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { MessageType } from '../poll/send-messages.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { type Author, authorKind } from './change-author.ts';
import type { HistoryRow } from './read-history.ts';

/** What happened to an object of a registrar: a change, with the messages and mails that it caused; or these alone. */
export type TimelineEvent = {
  readonly at: Date;
  readonly change: TimelineChange | undefined;
  readonly messages: readonly TimelineMessage[];
  readonly mails: readonly TimelineMail[];
};

export type TimelineChange = {
  readonly operation: string;
  /** A user or person of the registrar; null if somebody else acted. */
  readonly actor: string | null;
  readonly author: Author | null;
  /** In cents. */
  readonly charged: string | null;
} & Pick<HistoryRow, 'before' | 'after'>;
export type TimelineMessage = { readonly id: number; readonly type: MessageType; readonly text: string };
/** As what of the object its recipient got it, whose address is not told, and what became of it. */
export type TimelineMail = {
  readonly subject: string;
  readonly role: string | null;
  readonly delivery: MailDelivery;
};
export type MailDelivery = 'sent' | 'waiting' | 'given up';

type Object = {
  readonly kind: 'domain' | 'contact';
  readonly id: number;
  readonly name: string;
  /** When it came to the registrar: what a former sponsor did is not for this one. */
  readonly since: Date;
};

export type Timeline = {
  readonly events: readonly TimelineEvent[];
  /** The names of the registrar's contacts that the changes are about, by their codes. */
  readonly contactNames: ReadonlyMap<string, string>;
  readonly next: Position | undefined;
};

const PAGE = 25;
type Row = {
  readonly kind: 'change' | 'message' | 'mail';
  readonly id: number;
  readonly at: Date;
  /** The operation of a change, the text of a message, the subject of a mail. */
  readonly what: string;
  /** Of a message. */
  readonly type: MessageType;
  readonly actor: string | null;
  readonly author: Author | null;
  readonly charged: string | null;
  readonly role: string | null;
  readonly delivery: MailDelivery | null;
  readonly micros: string;
} & Pick<HistoryRow, 'before' | 'after'>;
/** Of a position: what happened at one time is in the order of its kinds. */
const KEY = /^(\d{1,17})\.(change|message|mail)$/;

/** Newest first, without the causes of holds, which are for operators. Mails are there as long as they are kept; afterwards the changes that sent them tell of them. */
export async function readTimeline(
  db: Sql,
  { kind, id, name, since }: Object,
  after: Position | undefined,
  { registrarId }: RegistrarScope,
): Promise<Timeline> {
  const [, micros, lastKind] = KEY.exec(after?.key ?? '') ?? [];
  const further =
    after && micros && lastKind
      ? sql`where (entry.at, entry.kind, entry.id) < (timestamptz 'epoch' + ${micros}::text::bigint * interval '1 microsecond', ${lastKind}::text, ${after.id}::bigint)`
      : sql``;
  const found = await db.rows(sql<Row>`
    select entry.*, (extract(epoch from entry.at) * 1000000)::bigint::text as micros from (
      select 'change' as kind, h.id, h.at, h.operation as what, null as type,
        case when h.registrar_id = ${registrarId} and h.actor ~ '^(user|epp|person):' then h.actor end as actor, ${authorKind(sql`h.actor`)} as author,
        (select e.amount::text from ledger_entries e where e.history_id = h.id and e.registrar_id = ${registrarId}) as charged,
        case when h.operation <> 'transfer' then h.before - 'hold_causes' end as before, case when h.operation <> 'transfer' then h.after - 'hold_causes' end as after,
        null as role, null as delivery
      from history h
      where h.object_kind = ${kind} and h.object_name = ${name} and h.object_id = ${id} and h.at >= ${since}
        and (h.registrar_id is null or h.registrar_id = ${registrarId})
      union all
      select 'message', m.id, m.created_at, m.text, m.type, null, null, null, null, null, null, null from poll_messages m
      where m.attached_obj_type = ${kind === 'domain' ? 'Domain' : 'Contact'} and m.attached_obj_id = ${id} and m.registrar_id = ${registrarId}
      union all
      select 'mail', l.id, l.created_at, l.subject, null, null, null, null, null, null, l.recipient_role,
        case when l.sent_at is not null then 'sent' when l.gave_up_at is not null then 'given up' else 'waiting' end
      from mails l where l.object_id = ${id} and l.registrar_id = ${registrarId} and l.object_kind = ${kind} and l.created_at >= ${since}
    ) as entry ${further} order by entry.at desc, entry.kind desc, entry.id desc ${text(`limit ${PAGE + 1}`)}`);
  const rows = pageOf(found);
  const last = rows.at(-1);
  const next = last && { key: `${last.micros}.${last.kind}`, id: last.id };
  return {
    events: eventsOf(rows),
    contactNames: await readContactNames(db, rows, registrarId),
    next: found.length > rows.length ? next : undefined,
  };
}

/** What happened at one time is not divided between two pages, unless it fills one. */
function pageOf(found: readonly Row[]): readonly Row[] {
  if (found.length <= PAGE) return found;
  const whole = found.slice(0, PAGE).filter(({ micros }) => micros !== found[PAGE]?.micros);
  return whole.length > 0 ? whole : found.slice(0, PAGE);
}

/** A change and what it sends have the same time; the oldest change of a time tells of it. */
function eventsOf(rows: readonly Row[]): TimelineEvent[] {
  return [...Map.groupBy(rows, ({ micros }) => micros).values()].flatMap((simultaneous) => {
    const messages = simultaneous
      .filter(({ kind }) => kind === 'message')
      .map(({ id, type, what }) => ({ id, type, text: what }));
    const mails = simultaneous
      .filter(({ kind }) => kind === 'mail')
      .map(({ what, role, delivery }) => ({ subject: what, role, delivery: delivery ?? 'waiting' }));
    const changes = simultaneous.filter(({ kind }) => kind === 'change');
    const oldest = changes.at(-1) ?? simultaneous[0];
    return [...changes.slice(0, -1), oldest]
      .filter((row) => row !== undefined)
      .map((row) => ({
        at: row.at,
        change: row.kind === 'change' ? changeOf(row) : undefined,
        messages: row === oldest ? messages : [],
        mails: row === oldest ? mails : [],
      }));
  });
}

const changeOf = ({ what, actor, author, charged, before, after }: Row): TimelineChange => ({
  operation: what,
  actor,
  author,
  charged,
  before,
  after,
});

async function readContactNames(
  db: Sql,
  rows: readonly Row[],
  registrarId: number,
): Promise<ReadonlyMap<string, string>> {
  const codes = new Set(
    rows.flatMap(({ before, after }) =>
      before && after ? [...contactCodes(before), ...contactCodes(after)] : [],
    ),
  );
  if (codes.size === 0) return new Map();
  const named = await db.rows(sql<{ code: string; name: string }>`
    select code, name from contacts where registrar_id = ${registrarId} and code_key = any(${[...codes].map(searchKey)}::text[])`);
  return new Map(named.map(({ code, name }) => [code, name]));
}

/** The contacts of a domain as its history has it. */
const contactCodes = (domain: Readonly<Record<string, unknown>>): string[] =>
  [domain.registrant, domain.admin_contacts, domain.tech_contacts]
    .flat()
    .filter((code) => typeof code === 'string');
