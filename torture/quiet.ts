import type { Pool } from '../src/platform/sql/executor.ts';
import { sql } from '../test/support/sql.ts';
import type { World } from './world.ts';

const MAX_ROUNDS = 60;

/** Ends all faults, and lets time pass until nothing is pending. */
export async function untilQuiet({ place }: World): Promise<void> {
  place.services.fail(0);
  place.receiver.misbehave('refuse', 0);
  await place.cluster.untilAnswers();
  // One process is enough now, and keeps one clock.
  const [node, other] = place.nodes;
  await other.stop();
  await node.kill9(); // simulated faults are in its memory
  await node.start();
  await place.withOwner(async (db) => {
    await callAboutAll(db, node.url);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await advance(node.url, round < 20 ? 'PT6M' : 'PT2H');
      if ((await waiting(db)).length === 0) return;
    }
    throw new Error(`it does not become quiet: ${JSON.stringify(await waiting(db))}`);
  });
}

/** Repeats callbacks that were lost with our database: a real provider would not forget them. */
async function callAboutAll(db: Pool, url: string): Promise<void> {
  const payments = await db.rows(sql<{ reference: string }>`
    select payment_reference as reference from provider_simulator.payments order by created_at`);
  for (const { reference } of payments) {
    const answer = await fetch(`${url}/api/v1/callback_handler/callback?payment_reference=${reference}`);
    if (answer.status !== 200) throw new Error(`a callback was answered ${answer.status}`);
    await answer.body?.cancel();
  }
}

async function advance(url: string, duration: string): Promise<void> {
  const answer = await fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: duration }),
  });
  if (answer.status !== 200) throw new Error(`the clock answers ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Pending work, by kind. */
export async function waiting(db: Pool): Promise<{ what: string; count: number }[]> {
  return db.rows(sql<{ what: string; count: number }>`
    select * from (
      select 'questions to the provider' as what, count(*)::int as count from payments where poll_at is not null or poll_lease_until is not null
      union all select 'refunds', count(*)::int from refunds where state = 'waiting'
      union all select 'messages to services', count(*)::int from deliveries where delivered_at is null and gave_up_at is null
      union all select 'webhooks', count(*)::int from webhook_deliveries where next_attempt_at is not null
      union all select 'mails', count(*)::int from mails where sent_at is null and gave_up_at is null
      union all select 'bulk jobs', count(*)::int from bulk_jobs where next_attempt_at is not null
      union all select 'callbacks', count(*)::int from provider_simulator.callbacks where next_attempt_at is not null) as w
    where count > 0`);
}
