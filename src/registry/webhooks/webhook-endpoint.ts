import { randomBytes } from 'node:crypto';
import { namedColumns } from '../../platform/sql/columns.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, isoTime, sql } from '../../platform/sql/statement.ts';
import { refuse } from '../registry-refusals.ts';

/** How many endpoints a registrar may have; the schema has as many positions. */
export const MAX_ENDPOINTS = 10;
export const MAX_DESCRIPTION_LENGTH = 200;

/** Public ids of endpoints and events. */
export const newEndpointId = (): string => `whe_${randomBytes(8).toString('hex')}`;
export const newEventId = (): string => `msg_${randomBytes(16).toString('hex')}`;
/** Whether a text can be such an id; what cannot is unknown. */
export const isEndpointId = (text: string): boolean => /^whe_[0-9a-f]{16}$/.test(text);
export const isEventId = (text: string): boolean => /^msg_[0-9a-f]{32}$/.test(text);

/** An endpoint as its registrar sees it; times are in ISO 8601. */
export type ShownEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Null for all. */
  readonly eventTypes: readonly string[] | null;
  readonly enabled: boolean;
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastSuccessAt: string | null;
  readonly failingSince: string | null;
  /** Until when the secret that was replaced signs too. */
  readonly oldSecretUntil: string | null;
};

const SHOWN = namedColumns({
  id: sql`e.public_id`,
  url: sql`e.url`,
  description: sql`e.description`,
  eventTypes: sql`e.event_types`,
  enabled: sql`e.disabled_at is null`,
  disabledAt: isoTime(sql`e.disabled_at`),
  disabledReason: sql`e.disabled_reason`,
  createdAt: isoTime(sql`e.created_at`),
  updatedAt: isoTime(sql`e.updated_at`),
  lastSuccessAt: isoTime(sql`e.last_success_at`),
  failingSince: isoTime(sql`e.failing_since`),
  oldSecretUntil: sql`(select ${isoTime(sql`max(s.expires_at)`)} from webhook_secrets s where s.endpoint_id = e.id)`,
} satisfies Record<keyof ShownEndpoint, Fragment>);

type Owner = { readonly registrarId: number };

export const listEndpoints = (db: Sql, { registrarId }: Owner): Promise<ShownEndpoint[]> =>
  db.rows(sql<ShownEndpoint>`
    select ${SHOWN} from webhook_endpoints e where e.registrar_id = ${registrarId} order by e.id`);

export async function readEndpoint(db: Sql, id: string, { registrarId }: Owner): Promise<ShownEndpoint> {
  const found = await db.maybe(sql<ShownEndpoint>`
    select ${SHOWN} from webhook_endpoints e where e.public_id = ${id} and e.registrar_id = ${registrarId}`);
  return found ?? refuse('objectMissing');
}

/** The reason of an endpoint that its registrar disabled. */
export const BY_REGISTRAR = 'by the registrar';

/** It fails, or was disabled by somebody else than its registrar. */
export const isBroken = ({
  enabled,
  failingSince,
  disabledReason,
}: Pick<ShownEndpoint, 'enabled' | 'failingSince' | 'disabledReason'>): boolean =>
  enabled ? failingSince !== null : disabledReason !== BY_REGISTRAR;

/** An endpoint as decisions need it. */
export type StoredEndpoint = {
  readonly rowId: number;
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[] | null;
  readonly isEnabled: boolean;
  /** Changed by every change but not by what becomes of deliveries: the guard of a change. */
  readonly updatedAt: Date;
  readonly generation: number;
};

export const loadEndpoint = (
  db: Sql,
  id: string,
  { registrarId }: Owner,
): Promise<StoredEndpoint | undefined> =>
  db.maybe(sql<StoredEndpoint>`
    select e.id as "rowId", e.public_id as id, e.url, e.description, e.event_types as "eventTypes", e.disabled_at is null as "isEnabled",
      e.updated_at as "updatedAt", (select max(s.generation) from webhook_secrets s where s.endpoint_id = e.id) as generation
    from webhook_endpoints e where e.public_id = ${id} and e.registrar_id = ${registrarId}`);

export const requireEndpoint = (found: StoredEndpoint | undefined): StoredEndpoint =>
  found ?? refuse('objectMissing');

export function requireEnabled(found: StoredEndpoint | undefined): StoredEndpoint {
  const endpoint = requireEndpoint(found);
  return endpoint.isEnabled ? endpoint : refuse('webhookDisabled');
}

/** A part of the path or the query of a URL may be a secret of its owner. */
export const shownInHistory = ({
  url,
  description,
  eventTypes,
}: Pick<StoredEndpoint, 'url' | 'description' | 'eventTypes'>): object => ({
  host: new URL(url).host,
  description,
  event_types: eventTypes ?? 'all',
});
