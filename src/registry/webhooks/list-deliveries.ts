import type { Position } from '../../platform/paging/position.ts';
import { namedColumns } from '../../platform/sql/columns.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, isoTime, sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import { refuse } from '../registry-refusals.ts';
import { readEndpoint } from './webhook-endpoint.ts';

export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery as its registrar sees it; times are in ISO 8601. */
export type ShownDelivery = {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly finishedAt: string | null;
  readonly lastAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
};

const SHOWN = namedColumns({
  eventId: sql`v.event_id`,
  type: sql`v.type`,
  sequence: sql`v.sequence`,
  timestamp: isoTime(sql`v.at`),
  state: sql`d.state`,
  attempts: sql`d.attempts`,
  nextAttemptAt: isoTime(sql`d.next_attempt_at`),
  finishedAt: isoTime(sql`d.finished_at`),
  lastAttemptAt: isoTime(sql`d.last_attempt_at`),
  lastStatus: sql`d.last_status`,
  lastError: sql`d.last_error`,
} satisfies Record<keyof ShownDelivery, Fragment>);

export type DeliveryQuery = {
  readonly limit: number;
  readonly state?: DeliveryState | undefined;
  readonly type?: string | undefined;
  readonly after?: Position | undefined;
};
type Row = ShownDelivery & { readonly rowId: number };

/** Newest first. */
export async function listDeliveries(
  db: Sql,
  id: string,
  { limit, state, type, after }: DeliveryQuery,
  principal: RegistrarScope,
): Promise<{ readonly deliveries: readonly ShownDelivery[]; readonly next: Position | undefined }> {
  await readEndpoint(db, id, principal);
  const found = await db.rows(sql<Row>`
    select ${SHOWN}, v.id as "rowId" from webhook_deliveries d join webhook_events v on v.id = d.event_id
    where d.endpoint_id = (select id from webhook_endpoints where public_id = ${id} and registrar_id = ${principal.registrarId})
      and (${state ?? null}::text is null or d.state = ${state ?? null}) and (${type ?? null}::text is null or v.type = ${type ?? null})
      and (${after?.id ?? null}::bigint is null or d.event_id < ${after?.id ?? null}::bigint)
    order by d.event_id desc limit ${limit + 1}`);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    deliveries: shown.map(({ rowId: _, ...delivery }) => delivery),
    next: found.length > limit && last ? { key: '', id: last.rowId } : undefined,
  };
}

/** One delivery, with the content of its event. */
export async function readDelivery(
  db: Sql,
  { id, eventId }: { readonly id: string; readonly eventId: string },
  { registrarId }: RegistrarScope,
): Promise<ShownDelivery & { readonly data: object }> {
  const found = await db.maybe(sql<ShownDelivery & { data: object }>`
    select ${SHOWN}, v.data from webhook_endpoints e
      join webhook_deliveries d on d.endpoint_id = e.id join webhook_events v on v.id = d.event_id
    where e.public_id = ${id} and e.registrar_id = ${registrarId} and v.event_id = ${eventId}`);
  return found ?? refuse('objectMissing');
}
