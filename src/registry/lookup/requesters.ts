import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type NamedToken, tokenColumns } from '../named-tokens.ts';

/** Somebody who may see more than the public, for a purpose and until an end. */
export type Requester = { readonly id: number; readonly name: string; readonly purpose: string };

export type RequesterRow = NamedToken & { readonly purpose: string };

/** All that there ever were, newest first. */
export const listRequesters = (db: Sql, now: Date): Promise<RequesterRow[]> =>
  db.rows(
    sql<RequesterRow>`select name, purpose, ${tokenColumns(now)} from lookup_requesters order by id desc`,
  );

type LookupEntry = {
  readonly requesterId: number;
  readonly at: Date;
  readonly address: string;
  readonly kind: 'domain' | 'entity' | 'nameserver';
  /** As it was asked for, whether or not there is such an object. */
  readonly name: string;
  readonly requestId: string;
};

/** Names come from outside: what is longer than any name is recorded by its beginning. */
const MAX_NAME_LENGTH = 255;

/** Records a query of a requester. It is answered only after this: one that cannot be recorded must be refused. */
export async function recordLookup(
  writes: Sql,
  { requesterId, at, address, kind, name, requestId }: LookupEntry,
): Promise<void> {
  await writes.run(sql`
    insert into lookup_requests (requester_id, at, address, object_kind, object_name, request_id)
    values (${requesterId}, ${at}, ${address}::inet, ${kind}, ${recordableName(name)}, ${requestId})`);
}

/** PostgreSQL takes no NUL and no half of a surrogate pair. */
const recordableName = (name: string): string =>
  name.slice(0, MAX_NAME_LENGTH).replaceAll('\0', '').toWellFormed();

export type LookupRequestRow = {
  readonly at: Date;
  readonly requester: string;
  readonly address: string;
  readonly kind: string;
  readonly name: string;
  readonly requestId: string;
};

type LookupRequestFilter = {
  readonly requester: string | undefined;
  readonly since: Date | undefined;
  readonly limit: number;
};

/** The newest queries first, of one requester or of all. */
export const listLookupRequests = (
  db: Sql,
  { requester, since, limit }: LookupRequestFilter,
): Promise<LookupRequestRow[]> =>
  db.rows(sql<LookupRequestRow>`
    select q.at, r.name as requester, host(q.address) as address, q.object_kind as kind, q.object_name as name, q.request_id as "requestId"
    from lookup_requests q join lookup_requesters r on r.id = q.requester_id
    where ${requester === undefined ? sql`true` : sql`r.name = ${requester}`}
      and ${since === undefined ? sql`true` : sql`q.at >= ${since}`}
    order by q.id desc limit ${limit}`);
