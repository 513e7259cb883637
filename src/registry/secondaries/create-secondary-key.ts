import { randomBytes } from 'node:crypto';
import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import type { KeyAlgorithm } from './list-secondary-keys.ts';
import { checkName } from './secondary-name.ts';

type NewKey = { readonly name: string; readonly secondary: string; readonly algorithm: KeyAlgorithm };
type CreatedKey = NewKey & {
  /** In Base64; it is not shown again. */
  readonly secret: string;
};

/** One in use, and one that takes its place. */
const MAX_VALID_KEYS = 2;
/** As long as the hash (RFC 8945, 8). */
const SECRET_BYTES: Readonly<Record<KeyAlgorithm, number>> = { 'hmac-sha256': 32, 'hmac-sha512': 64 };

/** Creates a key with which a secondary signs. */
export const createSecondaryKey = operatorTransaction(
  {
    name: 'create secondary key',
    right: 'zones',
    refusals: ['secondaryNameInvalid', 'secondaryMissing', 'tooManyKeys', 'keyNameUsed'],
  },
  {
    async transact(db, { name, secondary, algorithm }: NewKey, context): Promise<CreatedKey> {
      requireNone(checkName(name));
      // The lock makes concurrent creations count each other.
      const found = await db.maybe(sql<{ id: number }>`
        select id from dns_secondaries where name = ${secondary} and removed_at is null for update`);
      const { id: secondaryId } = found ?? refuse('secondaryMissing', { name: secondary });
      const { valid } = await db.one(sql<{ valid: number }>`
        select count(*)::int as valid from dns_keys where secondary_id = ${secondaryId} and revoked_at is null`);
      if (valid >= MAX_VALID_KEYS) refuse('tooManyKeys', { secondary, most: MAX_VALID_KEYS });
      const secret = randomBytes(SECRET_BYTES[algorithm]);
      const created = await db.maybe(sql<{ id: number }>`
        insert into dns_keys (secondary_id, name, algorithm, secret, created_at)
        values (${secondaryId}, ${name}, ${algorithm}, ${secret}, ${context.now}) on conflict (name) do nothing returning id`);
      const { id: objectId } = created ?? refuse('keyNameUsed', { name });
      const after = { secondary, algorithm };
      const entry = { objectKind: 'dns key', objectId, objectName: name, operation: 'create', after };
      await db.run(insertHistory(entry, context, sql``));
      return { name, secondary, algorithm, secret: secret.toString('base64') };
    },
  },
);
