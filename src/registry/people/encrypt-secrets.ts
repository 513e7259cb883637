import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type AuthenticatorKeys, encryptSecret, readSecret } from './authenticator-secrets.ts';

type Owned = { readonly id: number; readonly stored: Buffer };

const findSecrets = (db: Sql): Promise<Owned[]> =>
  db.rows(sql<Owned>`select id, totp_secret as stored from people where totp_secret is not null order by id`);

export type SecretCounts = {
  readonly current: number;
  /** In clear text, or encrypted with the previous key. */
  readonly outdated: number;
  /** Encrypted with a key that is not known here. */
  readonly unreadable: number;
};

export async function countSecrets(db: Sql, keys: AuthenticatorKeys): Promise<SecretCounts> {
  const read = (await findSecrets(db)).map(({ id, stored }) => readSecret(keys, id, stored));
  return {
    current: read.filter((secret) => secret?.isCurrent).length,
    outdated: read.filter((secret) => secret && !secret.isCurrent).length,
    unreadable: read.filter((secret) => !secret).length,
  };
}

/** Encrypts what is not encrypted with the current key; returns how many. One that somebody changes meanwhile is left out. */
export async function encryptSecrets(
  db: Sql,
  keys: AuthenticatorKeys & { readonly current: Buffer },
): Promise<number> {
  const outdated = (await findSecrets(db)).flatMap(({ id, stored }) => {
    const read = readSecret(keys, id, stored);
    return read && !read.isCurrent
      ? [{ id, stored, encrypted: encryptSecret(keys.current, id, read.secret) }]
      : [];
  });
  return db.run(sql`
    update people p set totp_secret = o.encrypted
    from unnest(${outdated.map(({ id }) => id)}::bigint[], ${outdated.map(({ stored }) => stored)}::bytea[],
      ${outdated.map(({ encrypted }) => encrypted)}::bytea[]) as o (id, stored, encrypted)
    where p.id = o.id and p.totp_secret = o.stored`);
}
