import { ownAuthority, signedFor } from './certificates.ts';
import { alpha } from './client.ts';
import { PEOPLE } from './console.ts';
import { moneyObjects } from './money-objects.ts';
import type { TestRegistry } from './registry.ts';
import { sql } from './sql.ts';

/**
 * Objects of ALPHA for the parameters of the console's addresses: a person, an API user with a certificate, an invoice, a
 * statement, a poll message, a bulk job and a webhook with a delivery. Domain and contact are the test's own.
 */
export async function consoleObjects(
  registry: Pick<TestRegistry, 'url' | 'sql'>,
): Promise<Readonly<Record<string, string>>> {
  const { sql: db } = registry;
  const { certificate } = await signedFor(db, await ownAuthority(db), 'alpha');
  const person = await db.one(
    sql<{ id: number }>`select id from people where email_key = ${PEOPLE.reader[0]}`,
  );
  const message = await db.one(sql<{ id: number }>`
    insert into poll_messages (registrar_id, type, text, created_at)
    select id, 'outzoned', 'Domain example.ee has left the zone', now() from registrars where code = 'ALPHA' returning id`);
  const client = alpha(registry.url);
  const made = await client.post('/webhooks', {
    webhook: { url: 'http://127.0.0.1:1/', event_types: ['balance.debt'] },
  });
  const { id: webhook } = made.body.data.webhook;
  const { event_id: event } = (await client.post(`/webhooks/${webhook}/test`)).body.data.delivery;
  const job = await db.one(sql<{ id: string }>`
    with begun as (
      insert into bulk_jobs (public_id, registrar_id, person_id, person_name, request_id, kind, input, total, refused, charged, created_at, started_at, finished_at)
      select gen_random_uuid(), m.registrar_id, m.person_id, 'Anna Alpha', 'a-request', 'renew', '{"months": 12}', 1, 1, 900, now(), now(), now()
      from memberships m join registrars r on r.id = m.registrar_id where m.person_id = ${person.id} and r.code = 'ALPHA' returning id, public_id),
    listed as (
      insert into bulk_job_rows (job_id, position, name, outcome, refusal, finished_at)
      select id, 0, 'no_name', 'refused', '{"name": "notName", "values": {}}', now() from begun)
    select public_id as id from begun`);
  return {
    job: job.id,
    webhook,
    event,
    ...(await moneyObjects(registry)),
    person: String(person.id),
    user: 'alpha',
    serial: certificate.serial,
    id: String(message.id),
  };
}
