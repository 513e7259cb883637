import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { comparePositions, type EventPosition } from '../../src/registry/events/event-position.ts';
import { type FeedEvent, readEvents } from '../../src/registry/events/read-events.ts';
import { sql } from '../../test/support/sql.ts';

/** Events are shown for thirty days. */
const KEPT_DAYS = 29;
const LIMIT = 50;

/** Other databases of the server may have transactions open, which the feed waits for. */
const WAIT_MS = 100;
const MAX_WAITS = 300;

/** Everything that a registrar's feed shows. */
async function readFeed(db: Sql, registrarId: number, now: Date): Promise<FeedEvent[]> {
  // Null within a transaction that has written something: the feed waits for that one, too.
  const { present } = await db.one(sql<{ present: string | null }>`
    select case when pg_current_xact_id_if_assigned() is null then pg_snapshot_xmax(pg_current_snapshot()) end::text as present`);
  const events: FeedEvent[] = [];
  let waits = 0;
  let after: EventPosition | undefined;
  for (;;) {
    const page = await readEvents(db, { after, limit: LIMIT, now }, { registrarId });
    events.push(...page.events);
    after = page.position;
    if (page.hasMore) continue;
    if (present === null || BigInt(page.position.transaction) >= BigInt(present) || waits === MAX_WAITS)
      return events;
    waits += 1;
    await sleep(WAIT_MS);
  }
}

/** Times are written in the zone of the session, which is another one here. */
function untimed(data: string): object {
  const { expire_time: _, ...others } = JSON.parse(data) as Record<string, unknown>;
  return others;
}

type Expected = { readonly id: string; readonly what: string };

/** What happened to a registrar by history and messages: the same ids, found without the feed. */
const expectedOf = (db: Sql, registrarId: number, now: Date): Promise<Expected[]> =>
  db.rows(sql<Expected>`
  select id_of_event(h.id, h.transaction, h.at) as id, h.operation || ' ' || h.object_name as what
  from history h where coalesce(h.registrar_id, h.sponsor_id) = ${registrarId} and h.object_kind in ('domain', 'contact', 'user')
    and h.at > ${now}::timestamptz - make_interval(days => ${KEPT_DAYS}) and h.transaction is not null and event_type_of_change(h) is not null
  union all
  select id_of_event(m.sequence, m.transaction, m.created_at), m.type || ' ' || m.id from poll_messages m
  where m.registrar_id = ${registrarId} and m.created_at > ${now}::timestamptz - make_interval(days => ${KEPT_DAYS}) and m.transaction is not null`);

/** The feed of every registrar is complete and in order, has nothing twice, and agrees with what webhooks sent. */
export async function auditFeeds(db: Sql, now: Date): Promise<Finding[]> {
  const registrars = await db.rows(
    sql<{ id: number; code: string }>`select id, code from registrars order by id`,
  );
  const findings: Finding[] = [];
  for (const { id, code } of registrars) {
    const feed = await readFeed(db, id, now);
    const shown = new Map(feed.map((event) => [event.id, event]));
    const finding = (what: string, expected: string, found: string) =>
      findings.push({ finding: what, subject: code, expected, found });
    if (shown.size !== feed.length) finding('a feed shows an event twice', `${shown.size}`, `${feed.length}`);
    for (const [index, { position }] of feed.entries()) {
      const next = feed[index + 1];
      if (next && comparePositions(position, next.position) >= 0)
        finding('a feed is not in order', JSON.stringify(position), JSON.stringify(next.position));
    }
    for (const { id: event, what } of await expectedOf(db, id, now))
      if (!shown.has(event)) finding('a feed lacks an event', what, 'nothing');
    const sent = await db.rows(sql<{ id: string; type: string; data: string }>`
      select event_id as id, type, data::text as data from webhook_events
      where registrar_id = ${id} and type <> 'webhook.test' and at > ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`);
    for (const { id: event, type, data } of sent) {
      const same = shown.get(event);
      if (same?.type !== type || !isDeepStrictEqual(untimed(same.data), untimed(data)))
        finding('a feed and a webhook differ', `${type} ${data}`, `${same?.type} ${same?.data}`);
    }
  }
  return findings;
}

/** What a reader saw through everything is the feed, without a gap; twice at most after the promotion of a standby. */
export async function auditReaders(
  db: Sql,
  seenBy: ReadonlyMap<string, readonly string[]>,
  now: Date,
): Promise<Finding[]> {
  const [eras] = await db.rows(sql<{ count: number }>`select count(*)::int as count from event_eras`);
  const findings: Finding[] = [];
  for (const [code, all] of seenBy) {
    const { id } = await db.one(sql<{ id: number }>`select id from registrars where code = ${code}`);
    const feed = (await readFeed(db, id, now)).map((event) => event.id);
    const seen = eras?.count ? [...new Set(all)] : all;
    const first = seen.findIndex((event) => feed.includes(event));
    if (first < 0) continue;
    const expected = feed.slice(feed.indexOf(seen[first] ?? ''));
    const place = seen.slice(first).findIndex((event, index) => event !== expected[index]);
    if (place >= 0)
      findings.push({
        finding: 'a reader of a feed missed an event, or saw one twice',
        subject: `${code}, event ${place} of ${seen.length - first}`,
        expected: expected[place] ?? 'nothing',
        found: seen[first + place] ?? 'nothing',
      });
  }
  return findings;
}
