import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type AuthenticatorKeys, readSecret } from './authenticator-secrets.ts';

type Owned = { readonly id: number; readonly stored: Buffer };

export const findSecrets = (db: Sql): Promise<Owned[]> =>
  db.rows(sql<Owned>`select id, totp_secret as stored from people where totp_secret is not null order by id`);

type SecretCounts = {
  readonly current: number;
  /** In clear text, or encrypted with the previous key. */
  readonly outdated: number;
  /** Encrypted with a key that is not known here. */
  readonly unreadable: number;
};

/** Secrets of authenticator apps, by the key that they are encrypted with. */
export async function countSecrets(db: Sql, keys: AuthenticatorKeys): Promise<SecretCounts> {
  const read = (await findSecrets(db)).map(({ id, stored }) => readSecret(keys, id, stored));
  return {
    current: read.filter((secret) => secret?.isCurrent).length,
    outdated: read.filter((secret) => secret && !secret.isCurrent).length,
    unreadable: read.filter((secret) => !secret).length,
  };
}
