import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dueTimesOf } from '../../src/app/list-due-times.ts';
import { countAhead, repairDueTimes } from '../../src/platform/jobs/repair-due-times.ts';
import { ee } from '../../src/policy/ee.ts';
import { openTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

const now = new Date('2026-11-18T12:00:00Z');
const ahead = new Date('2028-01-12T12:00:00Z');
const dueTimes = dueTimesOf(ee);

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(1);
});
afterAll(() => opened.close());
const db = () => {
  const [database] = opened.databases;
  if (!database) throw new Error('no database was opened');
  return database.writes;
};

/** Times that are compared with the present, but hold nothing up where they lie ahead. */
const HOLDS_NOTHING_UP = [
  ['api_users', 'previous_password_until', 'the old password stays valid for longer'],
  ['authorities', 'valid_until', 'a fact of the certificate'],
  ['certificates', 'valid_until', 'a fact of the certificate'],
  ['deliveries', 'try_until', 'follows next_attempt_at'],
  ['jobs', 'due_at', 'due beyond its interval too'],
  ['lookup_rate_limit', 'used_until', 'never taken for later than now'],
  ['mails', 'try_until', 'follows next_attempt_at'],
  ['webhook_deliveries', 'try_until', 'follows next_attempt_at'],
] as const;

describe('times at which something is due', () => {
  test('success: every queue and lease of the schema is known', async () => {
    const columns = await db().rows(sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and column_name ~ '(^next_|^due_|^poll_at$|_until$|^retry_|^lease)' order by 1`);
    const known = [
      ...dueTimes.map(({ table, column }) => `${table}.${column}`),
      ...HOLDS_NOTHING_UP.map(([table, column]) => `${table}.${column}`),
    ];
    expect(columns.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('success: what a clock that was ahead has left is due again, and what waits as it should goes on waiting', async () => {
    const soon = new Date(now.getTime() + 30 * 60_000);
    for (const [name, at] of [
      ['ahead', ahead],
      ['soon', soon],
    ] as const) {
      await db().run(sql`
        insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
        values (${name}, '', '', '', ${now}, ${at}, ${at})`);
      await db().run(sql`
        insert into deliveries (id, target, kind, body, created_at, next_attempt_at, try_until)
        values (gen_random_uuid(), 'accounting', ${name}, '{}', ${now}, ${at}, ${at})`);
      await db().run(
        sql`insert into payments (reference, created_at, poll_at) values (${name}, ${now}, ${at})`,
      );
      await db().run(sql`
        insert into refunds (payment_reference, amount, reason, actor, created_at, next_attempt_at)
        values (${name}, 1, '', '', ${now}, ${at})`);
    }
    await db().run(sql`
      insert into payments (reference, created_at, poll_lease_until, lane, rank, reported_by)
      values ('leased', ${now}, ${ahead}, 1, 0, '192.0.2.1'), ('leased-known', ${now}, ${ahead}, null, null, null)`);
    await db().run(sql`
      insert into epp_sessions (id, registrar_id, user_id, address, server, logged_in_at, lease_until, last_command_at)
      select gen_random_uuid(), registrar_id, id, '192.0.2.1', '', ${now}, ${ahead}, ${now} from api_users limit 1`);
    await db().run(sql`
      insert into wrong_codes (name, at, registrar_id, sponsor_notified) select 'a.ee', ${ahead}, id, false from registrars limit 1`);
    await db().run(sql`
      with endpoint as (
        insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at, paused_until, failures, failing_since)
        select 'whe_0123456789abcdef', id, 1, 'https://a.example/', '', ${now}, ${now}, ${ahead}, 2, ${ahead} from registrars limit 1
        returning id, registrar_id),
      event as (
        insert into webhook_events (registrar_id, type, sequence, at, data)
        select registrar_id, 'test', 1, ${now}, '{}' from endpoint returning id)
      insert into webhook_deliveries (endpoint_id, event_id, state, created_at, next_attempt_at, try_until)
      select endpoint.id, event.id, 'waiting', ${now}, ${ahead}, ${ahead} from endpoint, event`);
    await db().run(sql`
      insert into authorities (name, certificate, fingerprint, valid_from, valid_until, own, signs, created_at, revocation_list_until, revocation_list_stale)
      values ('ahead', '', ${'a'.repeat(64)}, ${now}, ${ahead}, true, false, ${now}, ${ahead}, false)`);

    const counts = await countAhead(db(), dueTimes, now);
    expect(counts.map(({ what, count }) => [what, count])).toEqual([
      ['mails', 1],
      ['messages to services', 1],
      ['refunds', 1],
      ['polls of payments', 1],
      ['leases of payments', 1],
      ['leases of payments', 1],
      ['events for registrars', 1],
      ['paused endpoints of registrars', 1],
      ['leases of EPP sessions', 1],
      ['revocation lists', 1],
      ['wrong codes', 1],
    ]);
    expect(await repairDueTimes(db(), dueTimes, now)).toBe(11);
    expect(await db().rows(sql`select recipient, next_attempt_at as at from mails order by 1`)).toEqual([
      { recipient: 'ahead', at: now },
      { recipient: 'soon', at: soon },
    ]);
    expect(await db().rows(sql`select revocation_list_stale as stale from authorities`)).toEqual([
      { stale: true },
    ]);
    // Lists are signed again by their own job, until when they are ahead.
    expect((await countAhead(db(), dueTimes, now)).map(({ what }) => what)).toEqual(['revocation lists']);
  });
});
