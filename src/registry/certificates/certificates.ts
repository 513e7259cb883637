import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type ListedCertificate = {
  readonly serial: string;
  readonly user: string;
  readonly registrar: string;
  readonly status: 'valid' | 'expired' | 'revoked' | 'untrusted';
  readonly validFrom: Date;
  readonly validUntil: Date;
  readonly revokedAt: Date | null;
  readonly reason: string | null;
  readonly fingerprint: string;
};

type CertificateFilter = { readonly user?: string; readonly registrar?: string };

/** Ordered by expiry, the earliest first. */
export function listCertificates(
  db: Sql,
  now: Date,
  { user, registrar }: CertificateFilter,
): Promise<ListedCertificate[]> {
  return db.rows(sql<ListedCertificate>`
    select c.serial, u.username as user, r.code as registrar,
      case when c.revoked_at is not null then 'revoked' when c.valid_until <= ${now} then 'expired'
        when a.retired_at is not null then 'untrusted' else 'valid' end as status,
      c.valid_from as "validFrom", c.valid_until as "validUntil", c.revoked_at as "revokedAt", c.revocation_reason as reason, c.fingerprint
    from certificates c
    join api_users u on u.id = c.user_id join registrars r on r.id = u.registrar_id join authorities a on a.id = c.authority_id
    where (${user ?? null}::text is null or u.username = ${user ?? null})
      and (${registrar ?? null}::text is null or r.code = ${registrar ?? null})
    order by c.valid_until, c.id`);
}

/** Of any registrar, or only of this one. */
export async function certificatePem(
  db: Sql,
  serial: string,
  registrarId: number | undefined = undefined,
): Promise<string | undefined> {
  const [row] = await db.rows(sql<{ certificate: string }>`
    select c.certificate from certificates c join api_users u on u.id = c.user_id
    where c.serial = ${serial} and (${registrarId ?? null}::bigint is null or u.registrar_id = ${registrarId ?? null})`);
  return row?.certificate;
}
