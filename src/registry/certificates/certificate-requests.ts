import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

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
