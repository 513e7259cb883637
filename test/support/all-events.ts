import { expect } from 'vitest';
import type { Client } from './client.ts';
import type { TestRegistry } from './registry.ts';
import { sql } from './sql.ts';

export type FeedEvent = {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
  position: string;
};
type Place = Pick<TestRegistry, 'sql'>;

/** All that is in the feed once everything that was written before the call is shown. */
export async function allEvents({ sql: db }: Place, by: Client, limit = 1_000): Promise<FeedEvent[]> {
  const [{ xid } = { xid: '0' }] = await db.rows(
    sql<{ xid: string }>`select pg_current_xact_id()::text as xid`,
  );
  const found: FeedEvent[] = [];
  let position: string | undefined;
  await expect
    .poll(async () => {
      const reply = await by.get(`/events?limit=${limit}${position ? `&after=${position}` : ''}`);
      found.push(...reply.body.data.events);
      ({ position } = reply.body.data);
      return !reply.body.data.has_more && BigInt(position?.split('-')[1] ?? 0) > BigInt(xid);
    })
    .toBe(true);
  return found;
}

/** An endpoint for every registrar, to which nothing can be delivered. */
export const addEndpoints = ({ sql: db }: Place): Promise<unknown> =>
  db.run(sql`
    insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
    select 'whe_' || lpad(id::text, 16, '0'), id, 1, 'http://127.0.0.1:1/', '', now(), now() from registrars`);

/** What the webhooks of a registrar are sent. */
export const webhookEvents = (
  { sql: db }: Place,
  code: string,
): Promise<Pick<FeedEvent, 'id' | 'type' | 'data'>[]> =>
  db.rows(sql`
    select e.event_id as id, e.type, e.data from webhook_events e join registrars r on r.id = e.registrar_id
    where r.code = ${code} order by e.sequence`);
