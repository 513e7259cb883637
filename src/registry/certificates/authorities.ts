import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

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
