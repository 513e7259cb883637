import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type AuthenticatorKeys, encryptSecret, readSecret } from './authenticator-secrets.ts';
import { findSecrets } from './count-secrets.ts';

type Encryption = { readonly keys: AuthenticatorKeys & { readonly current: Buffer } };

/** Encrypts what is not encrypted with the current key. */
export const encryptSecrets = operatorOperation(
  { name: 'encrypt secrets of authenticator apps', right: 'operation', refusals: [] },
  {
    load: (db, _: Encryption) => findSecrets(db),

    decide(found, { keys }) {
      const outdated = found.flatMap(({ id, stored }) => {
        const read = readSecret(keys, id, stored);
        return read && !read.isCurrent
          ? [{ id, stored, encrypted: encryptSecret(keys.current, id, read.secret) }]
          : [];
      });
      return { answer: { encrypted: outdated.length }, outdated };
    },

    persist(db, { answer, outdated }, context) {
      const changed = sql`
        update people p set totp_secret = o.encrypted
        from unnest(${outdated.map(({ id }) => id)}::bigint[], ${outdated.map(({ stored }) => stored)}::bytea[],
          ${outdated.map(({ encrypted }) => encrypted)}::bytea[]) as o (id, stored, encrypted)
        where p.id = o.id and p.totp_secret = o.stored
        returning p.id, p.email as name`;
      const entry = {
        objectKind: 'person',
        operation: 'encrypt secret of authenticator app',
        registrarId: null,
        rows: outdated.length,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
