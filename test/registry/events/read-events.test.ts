import { beforeEach, describe, expect, test } from 'vitest';
import { beginEra } from '../../../src/platform/event-eras.ts';
import { markEvents, markPurge } from '../../../src/registry/events/event-marks.ts';
import { type EventPosition, FIRST_POSITION } from '../../../src/registry/events/event-position.ts';
import { type EventPage, readEvents } from '../../../src/registry/events/read-events.ts';
import { coreForThisFile } from '../../support/core.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
const ALPHA = { registrarId: 1 };
const DAY_MS = 86_400_000;
const start = new Date('2027-03-01T10:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * DAY_MS);
const writes = () => core.database.writes;

beforeEach(() => writes().begin(async (db) => db.run(sql`delete from event_marks`)));

/** A change of a domain by a registrar, as every interface records it. */
const change = (names: readonly string[], { at = start, registrar = 1, operation = 'update' } = {}) => sql`
  insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, before, after)
  select ${at}, 'domain', 1, name, ${operation}::text, ${registrar}::bigint, 'user:alpha', '{"statuses": {}}', '{"statuses": {"clientHold": ""}}'
  from unnest(${names}::text[]) as name`;
const message = (text: string, { at = start, registrar = 1 } = {}) => sql`
  insert into poll_messages (registrar_id, type, text, created_at) values (${registrar}::bigint, 'low_balance', ${text}, ${at})`;

const read = (position?: EventPosition, limit = 100, now = start): Promise<EventPage> =>
  readEvents(core.database.reads, { after: position, limit, now }, ALPHA);
const namesOf = ({ events }: Pick<EventPage, 'events'>): string[] =>
  events.map(({ data, type }) => JSON.parse(data).name ?? type);

/** Other tests of this server may hold transactions open: what is there is shown as soon as they end. */
async function readUntil(count: number, from: EventPosition, limit = 100): Promise<EventPage> {
  const events: EventPage['events'][number][] = [];
  let page = await read(from, limit);
  await expect
    .poll(async () => {
      events.push(...page.events);
      const found = events.length;
      const { position } = page;
      page = found < count ? await read(position, limit) : page;
      return found;
    })
    .toBeGreaterThanOrEqual(count);
  return { ...page, events };
}
/** Where the feed is now; everything of earlier tests lies before it. */
async function end(): Promise<EventPosition> {
  const { xid } = await writes().one(sql<{ xid: string }>`select pg_current_xact_id()::text as xid`);
  let position: EventPosition = FIRST_POSITION;
  await expect
    .poll(async () => {
      const page = await read(position === FIRST_POSITION ? undefined : position, 1_000);
      ({ position } = page);
      return !page.hasMore && BigInt(position.transaction) > BigInt(xid);
    })
    .toBe(true);
  return position;
}

describe('a feed', () => {
  test('success: changes and messages in the order of their transactions, page by page, each once', async () => {
    const from = await end();
    await writes().run(change(['a.ee', 'b.ee']));
    await writes().run(message('low'));
    await writes().run(change(['c.ee'], { registrar: 2 }));
    await writes().run(change(['d.ee']));
    expect(namesOf(await readUntil(4, from))).toEqual(['a.ee', 'b.ee', 'balance.low', 'd.ee']);
    expect(namesOf(await readUntil(4, from, 1))).toEqual(['a.ee', 'b.ee', 'balance.low', 'd.ee']);
    const { events } = await readUntil(4, from);
    expect(namesOf(await read(events[1]?.position))).toEqual(['balance.low', 'd.ee']);
    const last = await read(events[3]?.position);
    expect(last).toMatchObject({ events: [], hasMore: false });
    expect((await read(last.position)).events).toEqual([]);
  });

  test('success: what is no event is passed over, however much of it there is', async () => {
    const from = await end();
    const many = Array.from({ length: 40 }, (_, index) => `n${index}.ee`);
    await writes().run(change(many, { operation: 'view transfer code' }));
    await writes().run(change(['e.ee']));
    expect(namesOf(await readUntil(1, from, 5))).toEqual(['e.ee']);
    const tight = await read(from, 1);
    expect(tight).toMatchObject({ events: [], hasMore: true });
  });

  test('success: a transaction that is held open is missed by nobody, and those after it wait for it', async () => {
    const from = await end();
    const order: string[] = [];
    let position = from;
    await writes().begin(async (open) => {
      await open.run(change(['slow.ee']));
      await writes().run(change(['fast.ee']));
      await writes().run(message('low'));
      for (let reads = 0; reads < 3; reads++) {
        const page = await read(position);
        order.push(...namesOf(page));
        ({ position } = page);
      }
      expect(order).toEqual([]);
      await open.run(change(['slow2.ee']));
    });
    expect(namesOf(await readUntil(4, position))).toEqual(['slow.ee', 'slow2.ee', 'fast.ee', 'balance.low']);
  });

  test('success: a transaction that ends in nothing holds nothing up', async () => {
    const from = await end();
    await writes()
      .begin(async (open) => {
        await open.run(change(['lost.ee']));
        await writes().run(change(['kept.ee']));
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(namesOf(await readUntil(1, from))).toEqual(['kept.ee']);
  });

  test('success: readers beside many writers see everything once, in one order', async () => {
    const from = await end();
    const WRITERS = 8;
    const EACH = 25;
    let isOver = false;
    const follow = async (limit: number) => {
      const seen: string[] = [];
      let position = from;
      for (;;) {
        const wasOver = isOver;
        const page = await read(position, limit);
        seen.push(...page.events.map(({ id }) => id));
        ({ position } = page);
        if (wasOver && seen.length >= WRITERS * EACH && !page.hasMore) return seen;
      }
    };
    const readers = [1, 7, 100].map(follow);
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let index = 0; index < EACH; index++)
          await writes().begin(async (db) => {
            await db.run(index % 3 === 0 ? message('low') : change([`w${writer}-${index}.ee`]));
            await db.run(sql`select pg_sleep(${(index % 4) / 1_000}::float8)`);
          });
      }),
    );
    isOver = true;
    const [first = [], ...others] = await Promise.all(readers);
    expect(new Set(first).size).toBe(WRITERS * EACH);
    expect(first).toHaveLength(WRITERS * EACH);
    for (const other of others) expect(other).toEqual(first);
  });

  test('success: what the registry does with a domain is told to its sponsor', async () => {
    const from = await end();
    await writes().run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, actor, sponsor_id, before, after)
      values (${start}, 'domain', 1, 'silent.ee', 'set', 'operator:mari', 1, '{"statuses": {}}', '{"statuses": {}}')`);
    const { events } = await readUntil(1, from);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ name: 'silent.ee', by: 'registry' });
    expect(events[0]?.data).not.toContain('mari');
  });
});

describe('what is kept', () => {
  test('success: a mark tells what is older than thirty days; a reader at the end stays welcome', async () => {
    const from = await end();
    await writes().run(change(['old.ee']));
    const { position } = await readUntil(1, from);
    await markEvents(writes(), start);
    await writes().run(change(['young.ee'], { at: after(20) }));
    await end();
    expect(namesOf(await read(from, 100, after(29)))).toEqual(['old.ee', 'young.ee']);
    expect(namesOf(await read(undefined, 1_000, after(31)))).toEqual(['young.ee']);
    const atTheEnd = await read(position, 100, after(29));
    expect(namesOf(await read(atTheEnd.position, 100, after(31)))).toEqual([]);
  });

  test('failure: a position that is older', async () => {
    const from = await end();
    await writes().run(change(['old.ee']));
    await readUntil(1, from);
    await markEvents(writes(), start);
    await expect(read(from, 100, after(31))).rejects.toMatchObject({
      refusals: [{ name: 'positionGone', kind: 'gone' }],
    });
  });

  test('failure: a position of an era that there is not', async () => {
    await expect(read({ era: 900_000_000, transaction: '1', sequence: '1' })).rejects.toMatchObject({
      refusals: [{ name: 'positionUnknown', code: 2005 }],
    });
  });

  test('success: of old marks the last stays', async () => {
    for (const days of [0, 1, 2, 33]) await markEvents(writes(), after(days));
    await markPurge.removeSome(writes(), after(33));
    const marks = await writes().rows(sql<{ at: Date }>`select at from event_marks order by at`);
    expect(marks.map(({ at }) => at)).toEqual([after(2), after(33)]);
  });
});

/** Last: the tests before know one era. */
describe('another database server', () => {
  test('success: after a restore, transactions of lower numbers come after all before it, to every reader', async () => {
    const from = await end();
    await writes().run(change(['before.ee']));
    const { position } = await readUntil(1, from);
    const ahead: EventPosition = { ...position, transaction: '99999999999' };
    await beginEra(writes(), start);
    await writes().run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, transaction)
      values (${start}, 'domain', 1, 'after.ee', 'update', 1, 'user:alpha', '3')`);
    for (const known of [position, ahead]) expect(namesOf(await readUntil(1, known))).toEqual(['after.ee']);
    expect(namesOf(await readUntil(2, from))).toEqual(['before.ee', 'after.ee']);
    const { position: last } = await readUntil(1, position);
    expect((await read(last)).events).toEqual([]);
  });

  test('success: after a failover, what came after the last mark is of the new era, so that nothing is missed', async () => {
    const from = await end();
    await markEvents(writes(), after(1));
    await writes().run(change(['promoted.ee']));
    const { position } = await readUntil(1, from);
    const lost: EventPosition = { ...position, transaction: '99999999999' };
    await writes().run(sql`
      with gone as (delete from event_marks returning *)
      insert into event_marks (at, era, transaction, sequence, timeline) select at, era, transaction, sequence, timeline + 1 from gone`);
    await markEvents(writes(), after(1.1));
    expect(namesOf(await readUntil(1, lost))).toEqual(['promoted.ee']);
    await markEvents(writes(), after(1.2));
    await markEvents(writes(), after(1.3));
    const eras = await writes().rows(sql`select era from event_eras`);
    expect(eras).toHaveLength(2);
  });
});

test('success: a request through the core has the id of its webhook event', async () => {
  const context = await core.context('alpha');
  await writes().run(sql`
    insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
    values ('whe_0123456789abcdef', ${context.principal.registrarId}, 1, 'https://shop.example', '', ${start}, ${start})`);
  const from = (
    await readEvents(core.database.reads, { after: undefined, limit: 1_000, now: start }, context.principal)
  ).position;
  await core.domain(context);
  const { events } = await readUntil(2, from);
  const stored = await writes().rows(sql`
    select event_id as id, type, data::text as data from webhook_events order by sequence`);
  expect(events.map(({ id, type, data }) => ({ id, type, data }))).toEqual(stored);
});
