import type { KeyObject } from 'node:crypto';
import type { Authority } from '../../platform/certificates/authority.ts';
import type { Certificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type TrustedAuthority, trustedAuthorities } from './authorities.ts';
import { refuse } from './certificate-refusals.ts';

type Named = { readonly fingerprint: string };

/** The private keys of our own authorities that are on this machine; they are never in the database. */
export type AuthorityKeys = {
  /** Undefined if it is not here. */
  find(authority: TrustedAuthority): Promise<KeyObject | undefined>;
  fileOf(authority: Named): string;
  /** Of an authority that is being made. */
  keep(authority: Certificate, key: KeyObject): Promise<void>;
};

/** One of our own authorities, which can sign here. */
export type SigningAuthority = Authority & { readonly id: number };

export const findSigningAuthority = async (db: Sql): Promise<TrustedAuthority | undefined> =>
  (await trustedAuthorities(db)).find(({ signs }) => signs);

export async function withKey(
  authority: TrustedAuthority,
  keys: Pick<AuthorityKeys, 'find' | 'fileOf'>,
): Promise<SigningAuthority> {
  const { id, certificate } = authority;
  const key = await keys.find(authority);
  return key ? { id, certificate, key } : refuse('authorityKeyMissing', { id, file: keys.fileOf(authority) });
}
