import { isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { isoTime, sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import { refuse } from '../registry-refusals.ts';
import { comparePositions, type EventPosition, FIRST_POSITION } from './event-position.ts';
import { KEPT_DAYS, lastMark } from './event-marks.ts';

export type FeedEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** JSON text. */
  readonly data: string;
  readonly position: EventPosition;
};

export type EventPage = {
  readonly events: readonly FeedEvent[];
  /** Where the next page begins. */
  readonly position: EventPosition;
  /** Whether more is known already. */
  readonly hasMore: boolean;
};

type Request = { readonly after: EventPosition | undefined; readonly limit: number; readonly now: Date };

/** Rows that are no events fill no page for ever: a reader gets an empty one and goes on. */
const MAX_EMPTY_PAGES = 10;

/** The events of a registrar after a position, in the order in which their transactions were begun. */
export async function readEvents(
  db: Sql,
  { after, limit, now }: Request,
  { registrarId }: RegistrarScope,
): Promise<EventPage> {
  const events: FeedEvent[] = [];
  let position = after;
  for (let page = 1; ; page++) {
    const rows = await db.rows(rowsAfter(registrarId, position, limit, now)).catch(unlessMissing);
    if (!rows) return { events, position: position ?? FIRST_POSITION, hasMore: false };
    const next = positionAfter(rows, position, limit);
    events.push(...rows.flatMap(eventOf));
    position = next.position;
    if (!next.hasMore || events.length > 0 || page === MAX_EMPTY_PAGES)
      return { events, position, hasMore: next.hasMore };
  }
}

/** The schema of 0.5.0 has no feed yet: there is nothing, and whoever goes on later misses nothing. */
function unlessMissing(error: unknown): undefined {
  if (!isNotInSchema(error)) throw error;
}

/** Null columns where nothing was written. */
type Row = {
  readonly horizon: string;
  readonly currentEra: number;
  readonly keptEra: number | null;
  readonly keptFrom: string | null;
  readonly era: number | null;
  readonly transaction: string | null;
  readonly sequence: string | null;
  readonly id: string | null;
  readonly type: string | null;
  readonly timestamp: string | null;
  readonly data: string | null;
};

/**
 * Changes and messages in order, also those that are no events. All of them are of transactions below the horizon, which
 * have ended: what a transaction that is still open writes comes after everything that was shown.
 */
const rowsAfter = (registrarId: number, after: EventPosition | undefined, limit: number, now: Date) => {
  const { era, transaction, sequence } = after ?? FIRST_POSITION;
  return sql<Row>`
    with present as (
      select pg_snapshot_xmin(pg_current_snapshot()) as horizon, coalesce((select max(era) from event_eras), 1) as era),
    kept as (
      ${lastMark(sql`era, transaction`, now)}),
    first as (
      select case when f.is_kept then kept.era else ${era}::int end as era,
        case when f.is_kept then kept.transaction else ${transaction}::text::xid8 end as transaction,
        case when f.is_kept then 0 else ${sequence}::text::bigint end as sequence
      from (select) as one left join kept on true
        cross join lateral (select coalesce((kept.era, kept.transaction) > (${era}::int, ${transaction}::text::xid8), false) as is_kept) as f),
    eras as (
      select era, begins_after, coalesce(lead(begins_after) over (order by era), 9223372036854775807) as ends_with
      from (select 1 as era, 0 as begins_after union all select era, begins_after from event_eras) as every_era),
    spans as (
      select eras.*, case when eras.era = first.era then first.transaction else '0'::xid8 end as transaction,
        case when eras.era = first.era then first.sequence else 0 end as sequence,
        case when eras.era = present.era then present.horizon else '18446744073709551615'::xid8 end as horizon
      from eras cross join first cross join present where eras.era >= first.era),
    written as (
      select s.era, w.* from spans s cross join lateral (
        (select h.transaction, h.id as sequence, h.at, h as change, null::poll_messages as message from history h
          where coalesce(h.registrar_id, h.sponsor_id) = ${registrarId} and (h.transaction, h.id) > (s.transaction, s.sequence)
            and h.transaction < s.horizon and h.id > s.begins_after and h.id <= s.ends_with
          order by h.transaction, h.id limit ${limit})
        union all
        (select m.transaction, m.sequence, m.created_at, null::history, m from poll_messages m
          where m.registrar_id = ${registrarId} and (m.transaction, m.sequence) > (s.transaction, s.sequence)
            and m.transaction < s.horizon and m.sequence > s.begins_after and m.sequence <= s.ends_with
          order by m.transaction, m.sequence limit ${limit})) as w
      order by s.era, w.transaction, w.sequence limit ${limit})
    select present.horizon::text as horizon, present.era as "currentEra", kept.era as "keptEra", kept.transaction::text as "keptFrom",
      w.era, w.transaction::text as transaction, w.sequence::text as sequence,
      id_of_event(w.sequence, w.transaction, w.at) as id, ${isoTime(sql`w.at`)} as timestamp, typed.type,
      case when typed.type is null then null when (w.change).id is not null then event_of_change(w.change, typed.type)
        else event_of_message(w.message) end::text as data
    from present left join kept on true left join written w on true
      left join lateral (
        select case when (w.message).id is not null then event_type_of_message(w.message)
          when (w.change).object_kind in ('domain', 'contact', 'user', 'invoice', 'registrar') then event_type_of_change(w.change) end as type) as typed on true
    order by w.era, w.transaction, w.sequence`;
};

/** Refuses a position before what is kept, and one that no feed has told. */
function positionAfter(
  rows: readonly Row[],
  after: EventPosition | undefined,
  limit: number,
): Pick<EventPage, 'position' | 'hasMore'> {
  const [first] = rows;
  if (!first) throw new Error('the present is a row');
  const { horizon, currentEra, keptEra, keptFrom } = first;
  const end: EventPosition = { era: currentEra, transaction: horizon, sequence: '0' };
  if (after && keptEra !== null && keptFrom !== null) {
    const kept: EventPosition = { era: keptEra, transaction: keptFrom, sequence: '0' };
    if (comparePositions(after, kept) < 0) refuse('positionGone', { days: String(KEPT_DAYS) });
  }
  if (after && after.era > currentEra) refuse('positionUnknown');
  const last = rows.length === limit ? placeOf(rows.at(-1)) : undefined;
  if (last) return { position: last, hasMore: true };
  return { position: after && comparePositions(after, end) > 0 ? after : end, hasMore: false };
}

function placeOf(row: Row | undefined): EventPosition | undefined {
  if (!row) return undefined;
  const { era, transaction, sequence } = row;
  return era === null || transaction === null || sequence === null
    ? undefined
    : { era, transaction, sequence };
}

function eventOf(row: Row): FeedEvent[] {
  const { id, type, timestamp, data } = row;
  const position = placeOf(row);
  return position && id !== null && type !== null && timestamp !== null && data !== null
    ? [{ id, type, timestamp, data, position }]
    : [];
}
