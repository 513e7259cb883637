import { beforeEach, describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { nextExpiryNotice, tellExpiries } from '../../../src/registry/events/tell-expiries.ts';
import { FIRST_POSITION } from '../../../src/registry/events/event-position.ts';
import { readEvents } from '../../../src/registry/events/read-events.ts';
import { coreForThisFile } from '../../support/core.ts';
import { ApiDocument } from '../../support/document.ts';
import { apiDocument } from '../../support/endpoints.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
const DAY_MS = 86_400_000;
const start = new Date('2040-05-05T10:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * DAY_MS);
const writes = () => core.database.writes;
const tell = (days = 0) => tellExpiries(core.database, after(days), ee);

/** The names that were told, in order, each time. */
const told = async (): Promise<string[]> =>
  (
    await writes().rows(sql<{ name: string }>`
      select object_name as name from history where operation = 'expiring' order by id`)
  ).map(({ name }) => name);

/** As if nothing had been told yet: what earlier tests left expires far ahead. */
beforeEach(async () => {
  await writes().run(sql`update domains set expire_time = '2099-01-01'`);
  await writes().begin(async (db) => db.run(sql`delete from webhook_events`));
});
const toldSince = async (work: () => Promise<unknown>) => {
  const before = (await told()).length;
  await work();
  return (await told()).slice(before);
};

async function domain(days: number, user = 'alpha'): Promise<string> {
  const name = await core.domain(await core.context(user));
  await writes().run(sql`update domains set expire_time = ${after(days)} where name = ${name}`);
  return name;
}

describe('expiries that are ahead', () => {
  test('success: each is told once, thirty days ahead, by webhook and feed alike, to its registrar alone', async () => {
    await writes().run(sql`
      insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
      select 'whe_' || lpad(id::text, 16, '0'), id, 1, 'https://shop.example', '', ${start}, ${start} from registrars`);
    const [first, second] = [await domain(30), await domain(30.5)];
    const foreign = await domain(30, 'beta');
    await writes().begin(async (db) => db.run(sql`delete from webhook_events`));
    expect(await toldSince(() => tell(-0.1))).toEqual([]);
    expect(await toldSince(() => tell())).toEqual([first, foreign]);
    expect(await toldSince(() => tell())).toEqual([]);
    expect(await toldSince(() => tell(1))).toEqual([second]);
    const stored = await writes().rows(sql<{ id: string; type: string; data: string }>`
      select e.event_id as id, e.type, e.data::text as data from webhook_events e join registrars r on r.id = e.registrar_id
      where r.code = 'ALPHA' order by e.sequence`);
    const { principal } = await core.context('alpha');
    await expect
      .poll(async () => {
        const page = await readEvents(
          core.database.reads,
          { after: FIRST_POSITION, limit: 1_000, now: start },
          principal,
        );
        return page.events
          .filter(({ type }) => type === 'domain.expiring')
          .map(({ id, type, data }) => ({ id, type, data }));
      })
      .toEqual(stored);
    const data = stored.map((event) => JSON.parse(event.data));
    expect(data).toMatchObject([
      {
        domain: first,
        operation: 'expiring',
        by: 'registry',
        expire_time: '2040-06-04T13:00:00.000+03:00',
        statuses: { inactive: '' },
      },
      { domain: second },
    ]);
    const event = { type: 'domain.expiring', timestamp: start.toISOString(), data: data[0] };
    expect(new ApiDocument(apiDocument()).complaintsAboutEvent(event)).toEqual([]);
    await writes().run(sql`update webhook_endpoints set disabled_at = ${start}, disabled_reason = 'over'`);
  });

  test('success: after a renewal the new expiry is told at its time', async () => {
    const name = await domain(40);
    expect(await toldSince(() => tell(12))).toEqual([name]);
    await writes().run(sql`update domains set expire_time = ${after(405)} where name = ${name}`);
    expect(await nextExpiryNotice(core.database, ee)).toEqual(after(375));
    expect(await toldSince(() => tell(374))).toEqual([]);
    expect(await toldSince(() => tell(375))).toEqual([name]);
    expect(await toldSince(() => tell(380))).toEqual([]);
  });

  test('success: one that is being deleted, and one that has expired by now, are passed over', async () => {
    const [leaving, late, ordinary] = [await domain(500), await domain(501), await domain(520)];
    await writes().run(sql`update domains set statuses = '{"pendingDelete": ""}' where name = ${leaving}`);
    expect(await toldSince(() => tell(502))).toEqual([ordinary]);
    expect(late).not.toBe(ordinary);
    expect(await toldSince(() => tell(502))).toEqual([]);
  });

  test('success: many at one time, by several processes at once, each once', async () => {
    const context = await core.context('alpha');
    const pattern = await core.domain(context);
    await writes().run(sql`
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
      select 'many' || n || '.ee', zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, ${after(620)}
      from domains, generate_series(1, 600) n where name = ${pattern}`);
    const names = await toldSince(async () => {
      await Promise.allSettled(Array.from({ length: 4 }, () => tell(600)));
      await tell(600);
    });
    expect(names).toHaveLength(600);
    expect(new Set(names).size).toBe(600);
  });

  test('success: after a clock that was ahead by years, what expires from then on is told', async () => {
    const [early, name] = [await domain(5_000), await domain(700)];
    expect(await toldSince(() => tell(4_990))).toEqual([early]);
    expect(await toldSince(() => tell(660))).toEqual([]);
    expect(await toldSince(() => tell(671))).toEqual([name]);
  });
});
