import { codeOf, isNotInSchema } from '../../platform/database/database-errors.ts';
import { namedColumns } from '../../platform/sql/columns.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, isoTime, sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** How an attempt went, besides why it failed. */
export type AttemptEnd = {
  readonly durationMs: number;
  readonly status: number | null;
  /** The beginning of the answer; null if there was none, or it may not be shown. */
  readonly response: string | null;
};

const MAX_RESPONSE = 1_000;

/** The text of an answer that somebody else wrote, as far as it is kept: characters that PostgreSQL cannot store are left out. */
export function keptResponse(body: string): string | null {
  // Lone surrogates, where the text was cut inside a character.
  const text = body.replaceAll('\0', '').slice(0, MAX_RESPONSE).toWellFormed().trim();
  return text === '' ? null : text;
}

/** A part of the statement that records what came of the attempt. */
export const insertAttempt = (
  deliveryId: number,
  { durationMs, status, response }: AttemptEnd,
  error: string | null,
  now: Date,
): Fragment => sql`
  insert into webhook_attempts (delivery_id, at, duration_ms, status, error, response)
  select d.id, ${new Date(now.getTime() - durationMs)}::timestamptz, ${durationMs}::int, ${status}::int, ${error}::text, ${response}::text
  from webhook_deliveries d where d.id = ${deliveryId}`;

const FOREIGN_KEY_VIOLATION = '23503';

/** Nothing is kept of the attempt where the schema is older than the table, or its delivery was just deleted. */
export async function unlessUnkept<T>(record: (isKept: boolean) => Promise<T>): Promise<T> {
  try {
    return await record(true);
  } catch (error) {
    if (!isNotInSchema(error) && codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return record(false);
  }
}

/** As its registrar sees it; times are in ISO 8601. */
export type ShownAttempt = {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
};

const SHOWN = namedColumns({
  at: isoTime(sql`a.at`),
  durationMs: sql`a.duration_ms`,
  status: sql`a.status`,
  error: sql`a.error`,
  response: sql`a.response`,
} satisfies Record<keyof ShownAttempt, Fragment>);

/** Of a delivery that is sent again and again, the newest. */
const MAX_ATTEMPTS = 100;

/** The attempts of one delivery, newest first. */
export async function listAttempts(
  db: Sql,
  { id, eventId }: { readonly id: string; readonly eventId: string },
  { registrarId }: RegistrarScope,
): Promise<readonly ShownAttempt[]> {
  try {
    return await db.rows(sql<ShownAttempt>`
      select ${SHOWN} from webhook_endpoints e
        join webhook_deliveries d on d.endpoint_id = e.id join webhook_events v on v.id = d.event_id
        join webhook_attempts a on a.delivery_id = d.id
      where e.public_id = ${id} and e.registrar_id = ${registrarId} and v.event_id = ${eventId}
      order by a.id desc ${text(`limit ${MAX_ATTEMPTS}`)}`);
  } catch (error) {
    if (isNotInSchema(error)) return [];
    throw error;
  }
}
