import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import type { ApiUser, Role } from '../actor.ts';
import { isKnownAddressOfUser } from './login-addresses.ts';

export type KnownUser = {
  readonly principal: ApiUser;
  readonly active: boolean;
  readonly passwordHash: string;
  /** One of these is required where client certificates are enforced. */
  readonly certificates: readonly GoodCertificate[];
  /** Address ranges the registrar's users may connect from; empty means any. */
  readonly allowedFrom: readonly string[];
  /** Whether the user recently logged in from the client's address. */
  readonly addressKnown: boolean;
  readonly previousPassword: { readonly hash: string; readonly until: Date } | undefined;
  /** Changes with every change of the user or of its registrar. */
  readonly version: string;
};

/** Recorded for the user, not revoked, and not signed by a retired authority. */
export type GoodCertificate = {
  readonly fingerprint: string;
  readonly validFrom: Date;
  readonly validUntil: Date;
};

type Row = {
  userId: number;
  username: string;
  roles: Role[];
  registrarId: number;
  registrarCode: string;
  registrarName: string;
  registrarWebsite: string;
  compatibility: boolean;
  active: boolean;
  passwordHash: string;
  previousHash: string | null;
  previousUntil: Date | null;
  certificates: { fingerprint: string; validFrom: string; validUntil: string }[];
  allowedFrom: string[];
  addressKnown: boolean;
  version: string;
};

/** The user with everything needed to authenticate a client, in one query. */
export async function findUser(
  db: Sql,
  username: string,
  { address, now }: { readonly address: string; readonly now: Date },
): Promise<KnownUser | undefined> {
  const row = await db.maybe(sql<Row>`
    select u.id as "userId", u.username, u.roles, r.id as "registrarId", r.code as "registrarCode", r.name as "registrarName", r.website as "registrarWebsite", r.compatibility,
      u.disabled_at is null and r.suspended_at is null as active,
      u.password_hash as "passwordHash", u.previous_password_hash as "previousHash", u.previous_password_until as "previousUntil",
      (select coalesce(json_agg(json_build_object('fingerprint', c.fingerprint, 'validFrom', c.valid_from, 'validUntil', c.valid_until)), '[]')
        from certificates c join authorities a on a.id = c.authority_id
        where c.user_id = u.id and c.revoked_at is null and a.retired_at is null) as certificates,
      (select coalesce(array_agg(range::text), '{}') from allowed_addresses where registrar_id = r.id) as "allowedFrom",
      ${isKnownAddressOfUser(address, now)} as "addressKnown",
      u.version || '.' || r.version as version
    from api_users u join registrars r on r.id = u.registrar_id
    where u.username = ${username}`);
  if (!row) return undefined;
  const {
    userId,
    roles,
    registrarId,
    registrarCode,
    registrarName,
    registrarWebsite,
    compatibility,
    active,
    passwordHash,
    previousHash,
    previousUntil,
    certificates,
    allowedFrom,
    addressKnown,
    version,
  } = row;
  return {
    principal: {
      userId,
      username: row.username,
      roles,
      registrarId,
      registrarCode,
      registrarName,
      registrarWebsite,
      compatibility,
    },
    active,
    passwordHash,
    certificates: certificates.map(({ fingerprint, validFrom, validUntil }) => ({
      fingerprint,
      validFrom: new Date(validFrom),
      validUntil: new Date(validUntil),
    })),
    allowedFrom,
    addressKnown,
    previousPassword:
      previousHash && previousUntil ? { hash: previousHash, until: previousUntil } : undefined,
    version,
  };
}

export async function userVersions(db: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.rows(sql<{ id: number; version: string }>`
    select u.id, u.version || '.' || r.version as version
    from api_users u join registrars r on r.id = u.registrar_id
    where u.id = any(${ids}::bigint[])`);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The client that authenticates, apart from its credentials. */
export type ClientIdentity = {
  readonly address: string;
  /** Of the client certificate whose key possession TLS has proved, if one was presented. */
  readonly fingerprint: string | undefined;
};

/** The reason why a client may not log in as this user; undefined if there is none. */
export type Admission = (client: ClientIdentity, now: Date) => string | undefined;

/** Whether client certificates are checked: never, where one is presented, or always. */
export type CertificateMode = 'ignored' | 'optional' | 'required';

/** Whether this client's certificate, or its absence, decides on the login. */
export const isCertificateChecked = (mode: CertificateMode, { fingerprint }: ClientIdentity): boolean =>
  mode === 'required' || (mode === 'optional' && fingerprint !== undefined);

/** Address and certificate requirements of a user, independent of the password. */
export function admissionOf(
  { certificates, allowedFrom }: Pick<KnownUser, 'certificates' | 'allowedFrom'>,
  mode: CertificateMode,
): Admission {
  const isAllowed = allowedFrom.length === 0 ? () => true : addressMatcher(allowedFrom);
  return (client, now) => {
    const wrong = isCertificateChecked(mode, client)
      ? certificateFault(client.fingerprint, certificates, now)
      : undefined;
    return (
      wrong ?? (isAllowed(client.address) ? undefined : 'the address is not on the list of the registrar')
    );
  };
}

/** Whether the client presented a currently valid certificate of this user. */
export const hasValidCertificate = (
  { certificates }: Pick<KnownUser, 'certificates'>,
  { fingerprint }: ClientIdentity,
  now: Date,
): boolean => certificateFault(fingerprint, certificates, now) === undefined;

function certificateFault(
  fingerprint: string | undefined,
  certificates: readonly GoodCertificate[],
  now: Date,
): string | undefined {
  if (fingerprint === undefined) return 'no certificate was shown';
  const shown = certificates.find((each) => each.fingerprint === fingerprint);
  if (!shown) return 'the certificate is not one of this user, or was revoked';
  return shown.validFrom <= now && now < shown.validUntil ? undefined : 'the certificate is not valid now';
}
