import type { Certificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';

/** A certificate authority that signs client certificates, trusted or retired. */
export type ListedAuthority = {
  readonly id: number;
  readonly name: string;
  readonly fingerprint: string;
  readonly validUntil: Date;
  readonly status: 'signs' | 'trusted' | 'retired';
  readonly certificates: number;
  readonly revocationListUntil: Date | null;
};

type NewAuthority = { readonly name: string; readonly certificate: Certificate };

/** Our own authority, whose key signs certificates from now on; a previous one stays trusted for what it has signed. Inside one transaction. */
export async function createOwnAuthority(
  db: Sql,
  authority: NewAuthority,
  change: OperatorChange,
): Promise<number> {
  await db.run(sql`update authorities set signs = false where signs`);
  const id = await enter(db, authority, true, change);
  if (id === undefined) throw new Error('a new authority has the fingerprint of another');
  return id;
}

/** An external authority, whose certificates can then be recorded. Undefined if it is recorded already. */
export const trustAuthority = (db: Sql, authority: NewAuthority, change: OperatorChange) =>
  enter(db, authority, false, change);

async function enter(
  db: Sql,
  { name, certificate }: NewAuthority,
  own: boolean,
  { actor, at, reason }: OperatorChange,
): Promise<number | undefined> {
  const entered = await db.maybe(sql<{ id: number }>`
    with changed as (
      insert into authorities (name, certificate, fingerprint, valid_from, valid_until, own, signs, created_at)
      values (${name}, ${certificate.pem}, ${certificate.fingerprint}, ${certificate.validFrom}, ${certificate.validUntil}, ${own}, ${own}, ${at})
      on conflict (fingerprint) do nothing
      returning id, name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, after)
    select ${at}, 'authority', id, name, ${own ? 'create' : 'trust'}, ${actor}, ${reason ?? null}, ${json({ fingerprint: certificate.fingerprint })} from changed
    returning object_id as id`);
  return entered?.id;
}

/** Rejects all certificates of the authority from now on. False if no trusted authority has this id. */
export async function retireAuthority(
  db: Sql,
  id: number,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (update authorities set retired_at = ${at}, signs = false where id = ${id} and retired_at is null returning id, name),
    forgotten as (
      update api_users set version = version
      where id in (select user_id from certificates where authority_id in (select id from changed)))
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'authority', id, name, 'retire', ${actor}, ${reason ?? null} from changed
    returning 1`);
  return rows.length === 1;
}

export function listAuthorities(db: Sql): Promise<ListedAuthority[]> {
  return db.rows(sql<ListedAuthority>`
    select a.id, a.name, a.fingerprint, a.valid_until as "validUntil",
      case when a.signs then 'signs' when a.retired_at is null then 'trusted' else 'retired' end as status,
      (select count(*)::int from certificates where authority_id = a.id and revoked_at is null) as certificates,
      a.revocation_list_until as "revocationListUntil"
    from authorities a order by a.id`);
}

export type TrustedAuthority = {
  readonly id: number;
  readonly own: boolean;
  readonly signs: boolean;
  readonly certificate: string;
  readonly fingerprint: string;
};

/** Authorities whose certificates are accepted. */
export function trustedAuthorities(db: Sql): Promise<TrustedAuthority[]> {
  return db.rows(sql<TrustedAuthority>`
    select id, own, signs, certificate, fingerprint from authorities where retired_at is null order by id`);
}

/** The certificate of an authority, retired ones included, for verifying signatures. */
export async function authorityCertificate(db: Sql, id: number): Promise<string | undefined> {
  const row = await db.maybe(
    sql<{ certificate: string }>`select certificate from authorities where id = ${id}`,
  );
  return row?.certificate;
}

/** The last signed revocation list of one of our own authorities, in DER; undefined if there is none. */
export async function revocationList(db: Sql, id: number): Promise<Buffer | undefined> {
  const row = await db.maybe(
    sql<{ list: Buffer | null }>`select revocation_list as list from authorities where id = ${id}`,
  );
  return row?.list ?? undefined;
}
