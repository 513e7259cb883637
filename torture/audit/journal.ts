import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import { type Effect, type Intent, type Journal, outcomeOf } from '../journal.ts';
import type { DeliveredMessage } from '../services.ts';

type Row = {
  readonly requestId: string;
  readonly operation: string;
  readonly name: string;
  readonly kind: string;
};

export const LOST = 'what was answered as done has not happened';
export const DOUBLED = 'one intent had an effect twice';

/** Acknowledged requests have taken effect, refused ones have not, and none twice. */
export async function auditJournal(db: Sql, journal: Journal): Promise<Finding[]> {
  return [
    ...journal.complaints.map(({ finding, subject, found }) => ({
      finding,
      subject,
      expected: 'none',
      found,
    })),
    ...(await auditEffects(db, journal)),
    ...(await auditKnown(db, journal)),
    ...(await auditReservations(db, journal)),
  ];
}

/** The acknowledged intents, each with its missing effects. */
export async function findLost(
  db: Sql,
  { intents, promised }: Journal,
): Promise<ReadonlyMap<Intent, readonly Effect[]>> {
  const effectsOf = await readEffects(db);
  const lost = intents.map((intent) => [intent, missing(intent, promised, effectsOf(intent))] as const);
  return new Map(lost.filter(([, effects]) => effects.length > 0));
}

async function readEffects(db: Sql): Promise<(intent: Intent) => Row[]> {
  const rows = await db.rows(sql<Row>`
    select coalesce(client_transaction_id, request_id) as "requestId", operation, object_name as name, object_kind as kind from history where coalesce(client_transaction_id, request_id) like 'torture-%'`);
  const byRequest = Map.groupBy(rows, ({ requestId }) => requestId);
  return ({ attempts }) => attempts.flatMap(({ requestId }) => byRequest.get(requestId) ?? []);
}

async function auditEffects(db: Sql, { intents, promised }: Journal): Promise<Finding[]> {
  const effectsOf = await readEffects(db);
  return intents.flatMap((intent) => {
    const effects = effectsOf(intent);
    const counts = Map.groupBy(effects, ({ kind, operation, name }) => `${kind} ${operation} ${name}`);
    const subject = `${intent.what} of ${intent.who} ${intent.key ?? 'without a key'}`;
    const wrong = (finding: string, expected: string, found: string) => ({
      finding,
      subject,
      expected,
      found,
    });
    const most = intent.lapsed ? intent.attempts.length : 1;
    return [
      ...(outcomeOf(intent.attempts) === 'refused' && effects.length > 0
        ? [wrong('what was refused has happened', 'nothing', [...counts.keys()].join(', '))]
        : []),
      ...[...counts]
        .filter(([, found]) => found.length > most)
        .map(([what, found]) => wrong(DOUBLED, what, String(found.length))),
      ...missing(intent, promised, effects).map(({ operation, name }) =>
        wrong(LOST, `${operation} ${name}`, 'nothing'),
      ),
    ];
  });
}

function missing(intent: Intent, promised: Journal['promised'], effects: readonly Row[]): Effect[] {
  return (promised.get(intent) ?? []).filter(
    ({ operation, name }) =>
      !effects.some(
        (effect) => effect.operation === operation && effect.name.toLowerCase() === name.toLowerCase(),
      ),
  );
}

async function auditKnown(
  db: Sql,
  { acknowledged, documents, invoices, numbers }: Journal,
): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    select 'a message that was acknowledged is unread' as finding, 'message ' || a.id as subject, 'read' as expected, coalesce(m.text, 'none') as found
    from unnest(${[...acknowledged]}::bigint[]) as a(id) left join poll_messages m on m.id = a.id where m.read_at is null
    union all
    select 'a legal document is not there', 'request ' || a.id, 'one', count(d.id)::text
    from unnest(${documents}::text[]) as a(id) left join legal_documents d on d.request_id = a.id group by a.id having count(d.id) <> 1
    union all
    select 'an invoice that was issued is not there', 'invoice ' || a.number, a.initiator, coalesce(i.initiator, 'none')
    from unnest(${[...invoices.keys()]}::bigint[], ${[...invoices.values()]}::text[]) as a(number, initiator)
    left join invoices i on i.number = a.number where i.initiator is distinct from a.initiator
    union all
    select 'a number that was handed out is not taken', 'number ' || a.number, a.initiator, coalesce(n.initiator, 'none')
    from unnest(${[...numbers.keys()]}::bigint[], ${[...numbers.values()]}::text[]) as a(number, initiator)
    left join invoice_numbers n on n.number = a.number where n.initiator is distinct from a.initiator`);
}

/** A name and a code that were granted stay, until time or a registration ended it; and nothing exists that was not granted. */
async function auditReservations(db: Sql, { reservations, intents }: Journal): Promise<Finding[]> {
  const given = [...reservations].flatMap(([id, names]) =>
    names.map(({ name, password }) => ({ id, name, password })),
  );
  const unknown = intents.filter(
    ({ what, attempts }) => what === 'reserve' && attempts.some(({ outcome }) => outcome === 'unknown'),
  );
  const [count] = await db.rows(sql<{ short: number }>`
    select count(*)::int as short from reservations where invoice_number is null`);
  const beyond = (count?.short ?? 0) - reservations.size;
  const lost = await db.rows(sql<Finding>`
    select 'a name that was reserved is not held as it was answered' as finding, a.name as subject, 'reservation ' || a.id as expected,
      coalesce('held for ' || r.reservation_id, 'not held') as found
    from unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ name }) => name)}::text[], ${given.map(({ password }) => password)}::text[]) as a(id, name, password)
    left join reservations v on v.user_unique_id = a.id
    left join reservation_names n on n.reservation_id = v.id and n.name = a.name
    left join reserved_names r on r.name = a.name and r.reservation_id = v.id
    where n.name is null or (r.code is not null and r.code <> a.password)
      or (r.code is null and n.registered_at is null
        and not exists (select from reservations paid where paid.taken_over_from = v.id)
        and v.created_at + interval '6 days' > (select now() + clock_offset from installation))`);
  return [
    ...lost,
    ...(beyond > unknown.length
      ? [
          {
            finding: 'there are reservations that no client has an answer for',
            subject: 'free reservations',
            expected: `at most ${unknown.length} unknown`,
            found: String(beyond),
          },
        ]
      : []),
  ];
}

/** Every change was received by the service that it is for, under one id and in one wording; nothing else was. */
export async function auditDeliveries(db: Sql, delivered: readonly DeliveredMessage[]): Promise<Finding[]> {
  const sent = await db.rows(
    sql<{
      id: string;
      target: string;
      body: string;
    }>`select id, target, body from deliveries where target like 'service:%'`,
  );
  const received = new Set(delivered.map(({ service, id, body }) => `service:${service} ${id} ${body}`));
  const due = new Map(sent.map(({ id, target, body }) => [`${target} ${id} ${body}`, id]));
  return [
    ...[...due]
      .filter(([line]) => !received.has(line))
      .map(([, id]) => ({
        finding: 'a service has not received a message',
        subject: id,
        expected: 'received',
        found: 'not',
      })),
    ...[...received]
      .filter((line) => !due.has(line))
      .map((line) => ({
        finding: 'a service has received what nobody sent',
        subject: line.slice(0, 60),
        expected: 'none',
        found: line,
      })),
  ];
}
