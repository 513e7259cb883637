import { describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { moveClock } from '../support/life.ts';
import { sql } from '../support/sql.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { RaceDatabase } from './race-database.ts';

const KILLS = process.env.TORTURE ? 8 : 1;
const EVENTS = 60;

describe('delivery by processes that are killed', () => {
  test('success: every event is received, one in flight a second time under the same id', async () => {
    const database = await RaceDatabase.create();
    try {
      const receiver = await WebhookReceiver.start();
      let node = await database.start();
      const reply = await alpha(node.url).post('/webhooks', {
        webhook: { url: receiver.url, event_types: ['user.updated'] },
      });
      expect(reply.status).toBe(200);
      for (let kill = 0; kill < KILLS; kill++) {
        // The first few are received and answered, the next ones only received: the process dies with them.
        const before = receiver.received.length;
        receiver.answers = [...Array(20).fill({ status: 204 }), 'hang'];
        await database.sql.run(sql`
          insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
          select o.at, 'user', n, 'u' || n, 'roles super', r.id, 'operator:x'
          from registrars r, generate_series(1, ${EVENTS}) n, (select now() + clock_offset as at from installation) o
          where r.code = 'ALPHA'`);
        await expect.poll(() => receiver.received.length - before).toBeGreaterThanOrEqual(25);
        await node.kill9();
        receiver.answers = [{ status: 204 }];
        node = await database.start();
        await moveClock(node, { advance: 'PT2M' });
      }
      const left = () => database.sql.rows(sql`select from webhook_deliveries where state <> 'delivered'`);
      await expect.poll(left).toEqual([]);
      const events = await database.sql.rows(
        sql<{ id: string }>`select event_id as id from webhook_events order by 1`,
      );
      expect(events).toHaveLength(KILLS * EVENTS);
      expect([...new Set(receiver.ids)].toSorted()).toEqual(events.map(({ id }) => id));
      expect(receiver.received.length).toBeGreaterThan(events.length);
      expect(new Set(receiver.received.map(({ id, body }) => id + body)).size).toBe(events.length);
    } finally {
      await database.end();
    }
  });
});
