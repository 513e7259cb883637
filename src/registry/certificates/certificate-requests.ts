import type { Certificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import { enterSignedCertificate, type SignedCertificate } from './certificates.ts';
import { mailDecision } from './mail-decision.ts';

type RequestOutcome =
  | 'requested'
  /** No request in PEM, a weak key, or not signed by its own key. */
  | 'unusable'
  /** The CN is not the username. */
  | 'other name'
  /** There is no such user, or one of its requests waits already. */
  | 'not possible';

/** Puts a request into the queue of the operators. Only the user's registrar can do it. */
export async function requestCertificate(
  db: Sql,
  { username, request }: { readonly username: string; readonly request: string },
  change: OperatorChange & { readonly registrarId: number },
): Promise<RequestOutcome> {
  // Loaded where it is needed: the library is large.
  const { BadRequest, readRequest } = await import('../../platform/certificates/certificate-request.ts');
  try {
    const { commonName } = await readRequest(request);
    if (commonName !== username) return 'other name';
  } catch (error) {
    if (error instanceof BadRequest) return 'unusable';
    throw error;
  }
  const { actor, at, registrarId } = change;
  const rows = await db.rows(sql`
    with changed as (
      insert into certificate_requests (user_id, request, requested_by, created_at)
      select id, ${request}, ${actor}, ${at} from api_users where username = ${username} and registrar_id = ${registrarId}
      on conflict (user_id) where closed_at is null do nothing
      returning user_id)
    ${recordRequestChange('request certificate', change)}`);
  return rows.length === 1 ? 'requested' : 'not possible';
}

export type WaitingRequest = {
  readonly id: number;
  readonly user: string;
  readonly registrar: string;
  readonly requestedBy: string;
  readonly since: Date;
};

/** Those that wait for an operator, the oldest first. */
export const listCertificateRequests = (db: Sql): Promise<WaitingRequest[]> =>
  db.rows(sql<WaitingRequest>`
    select q.id, u.username as user, r.code as registrar, q.requested_by as "requestedBy", q.created_at as since
    from certificate_requests q join api_users u on u.id = q.user_id join registrars r on r.id = u.registrar_id
    where q.closed_at is null order by q.id`);

/** The request itself, in PEM. Undefined if it does not wait. */
export const findCertificateRequest = (db: Sql, id: number): Promise<{ request: string } | undefined> =>
  db.maybe(sql<{ request: string }>`
    select request from certificate_requests where id = ${id} and closed_at is null`);

/** An operator's decision; the mail about it links to the console, at the public address of the registry. */
type RequestDecision = OperatorChange & { readonly publicUrl: string };

/**
 * Records the certificate that was signed for a request, closes it and mails that; inside one transaction. Undefined
 * if it does not wait any more.
 */
export async function enterRequestedCertificate(
  tx: Sql,
  id: number,
  signed: SignedCertificate,
  change: RequestDecision,
): Promise<Certificate | undefined> {
  const waiting = await tx.maybe(sql<{ id: number }>`
    select id from certificate_requests where id = ${id} and closed_at is null for update`);
  if (!waiting) return undefined;
  const certificate = await enterSignedCertificate(tx, signed, change);
  await tx.run(sql`
    update certificate_requests set closed_at = ${change.at}, outcome = 'signed', certificate_serial = ${certificate.serial}
    where id = ${id}`);
  await mailDecision(tx, id, change.publicUrl, change.at);
  return certificate;
}

/** An operator refuses a request, and the registrar gets the reason by mail; inside one transaction. False if it does not wait. */
export async function refuseCertificateRequest(
  tx: Sql,
  id: number,
  change: RequestDecision & { readonly reason: string },
): Promise<boolean> {
  const isDone = await close(tx, 'refused', 'refuse certificate request', change, sql`q.id = ${id}`);
  if (isDone) await mailDecision(tx, id, change.publicUrl, change.at);
  return isDone;
}

/** False if no request of the user waits. */
export const withdrawCertificateRequest = (
  db: Sql,
  username: string,
  change: OperatorChange & { readonly registrarId: number },
): Promise<boolean> =>
  close(
    ...([db, 'withdrawn', 'withdraw certificate request', change] as const),
    sql`q.user_id = (select id from api_users where username = ${username} and registrar_id = ${change.registrarId})`,
  );

async function close(
  db: Sql,
  outcome: 'refused' | 'withdrawn',
  operation: string,
  change: OperatorChange,
  isMeant: Fragment,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update certificate_requests q set closed_at = ${change.at}, outcome = ${outcome}, reason = ${change.reason ?? null}
      where ${isMeant} and q.closed_at is null
      returning user_id)
    ${recordRequestChange(operation, change)}`);
  return rows.length === 1;
}

const recordRequestChange = (
  operation: string,
  { actor, at, reason, requestId }: OperatorChange,
): Fragment => sql`
  insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id)
  select ${at}, 'user', u.id, u.username, ${operation}, u.registrar_id, ${actor}, ${reason ?? null}, ${requestId ?? null}
  from api_users u join changed on changed.user_id = u.id
  returning 1`;

export type UserRequest = {
  readonly since: Date;
  readonly outcome: 'signed' | 'refused' | 'withdrawn' | null;
  readonly reason: string | null;
};

/** The newest request of a user; those that were closed tell what became of it. */
export const findLastRequest = (
  db: Sql,
  registrarId: number,
  username: string,
): Promise<UserRequest | undefined> =>
  db.maybe(sql<UserRequest>`
    select q.created_at as since, q.outcome, q.reason
    from certificate_requests q join api_users u on u.id = q.user_id
    where u.username = ${username} and u.registrar_id = ${registrarId}
    order by q.id desc limit 1`);
