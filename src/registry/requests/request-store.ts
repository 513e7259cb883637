import { sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import type { DomainParts } from '../domains/rules/domain-parts.ts';
import type { Author } from '../history/read-history.ts';

/** What the registrant is to confirm, as requested. */
export type RegistrantRequest = {
  readonly token: RequestToken;
  readonly expiresAt: Date;
} & (
  | {
      readonly kind: 'registrant change';
      readonly newRegistrantId: number;
      readonly newTransferCode: string | undefined;
      /** Applied with the new registrant. */
      readonly furtherChanges?: DomainParts;
    }
  | { readonly kind: 'deletion' }
);
export type RequestOutcome = 'confirmed' | 'rejected' | 'lapsed' | 'failed' | 'withdrawn';

declare const secret: unique symbol;
/** The secret in the mailed link; the database stores only its hash. */
export type RequestToken = string & { readonly [secret]: 'request token' };

export const newRequestToken = (): RequestToken => newToken() as RequestToken;
export const requestTokenHash = (token: string): string => tokenHash(token).toString('hex');

type OpeningChange = {
  readonly before: { readonly id: number; readonly registrarId: number };
  readonly request?: RegistrantRequest;
  readonly author: Author;
};
type ClosingChange = {
  readonly before: { readonly id: number };
  readonly requestOutcome?: RequestOutcome;
  readonly author: Pick<Author, 'now'>;
};

/** Part of a persisting statement: the requests that the changes open. */
export function openRequests(changes: readonly OpeningChange[]): Part<'asked', 'changed'> | undefined {
  const rows = changes.flatMap(({ before, request, author }) =>
    request ? [{ ...author, ...before, request }] : [],
  );
  if (rows.length === 0) return undefined;
  const registrantChanges = rows.map(({ request }) =>
    request.kind === 'registrant change' ? request : undefined,
  );
  return part(
    'asked',
    ['changed'],
    sql`
    insert into registrant_requests (domain_id, kind, new_registrant_id, new_transfer_code, registrar_id, requested_by, requested_at, expires_at, token_hash, further_changes,
      request_id, client_transaction_id, idempotency_key)
    select changed.id, r.kind, r.new_registrant_id, r.new_transfer_code, r.registrar_id, r.actor, r.at, r.expires_at, decode(r.token_hash, 'hex'), r.further_changes::jsonb,
      r.request_id, r.client_transaction_id, r.idempotency_key
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ request }) => request.kind)}::text[],
      ${registrantChanges.map((request) => request?.newRegistrantId ?? null)}::bigint[], ${registrantChanges.map((request) => request?.newTransferCode ?? null)}::text[],
      ${rows.map(({ registrarId }) => registrarId)}::bigint[], ${rows.map(({ request }) => request.expiresAt.toISOString())}::timestamptz[],
      ${rows.map(({ request }) => requestTokenHash(request.token))}::text[],
      ${registrantChanges.map((request) => (request?.furtherChanges ? JSON.stringify(request.furtherChanges) : null))}::text[],
      ${rows.map(({ actor }) => actor)}::text[], ${rows.map(({ now }) => now.toISOString())}::timestamptz[], ${rows.map(({ requestId }) => requestId)}::text[],
      ${rows.map(({ clientTransactionId }) => clientTransactionId ?? null)}::text[],
      ${rows.map(({ idempotencyKey }) => idempotencyKey ?? null)}::text[])
      as r(domain_id, kind, new_registrant_id, new_transfer_code, registrar_id, expires_at, token_hash, further_changes, actor, at, request_id, client_transaction_id, idempotency_key)
    join changed on changed.id = r.domain_id`,
  );
}

/** Part of a persisting statement: the requests that the changes end. */
export function closeRequests(changes: readonly ClosingChange[]): Part<'answered', 'changed'> | undefined {
  const rows = changes.flatMap(({ before, requestOutcome, author: { now } }) =>
    requestOutcome ? [{ id: before.id, outcome: requestOutcome, now }] : [],
  );
  if (rows.length === 0) return undefined;
  return part(
    'answered',
    ['changed'],
    sql`
    update registrant_requests r set closed_at = o.at, outcome = o.outcome, new_transfer_code = null
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ outcome }) => outcome)}::text[],
      ${rows.map(({ now }) => now.toISOString())}::timestamptz[]) as o(domain_id, outcome, at)
    join changed on changed.id = o.domain_id
    where r.domain_id = o.domain_id and r.closed_at is null`,
  );
}
