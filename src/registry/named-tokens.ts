import {
  type ComposableOperation,
  type OperatorDescription,
  operatorOperation,
} from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';

export type NamedToken = {
  readonly name: string;
  readonly status: 'valid' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

/** The columns of a NamedToken besides its name. */
export const tokenColumns = (now: Date): Fragment => sql`
  case when revoked_at is not null then 'revoked' when expires_at <= ${now} then 'expired' else 'valid' end as status,
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

type Tokens = {
  readonly table: Fragment;
  /** As history calls them. */
  readonly objectKind: string;
  /** What is deleted of one that is revoked. */
  readonly cleared?: Fragment;
  /** There is none of the name that is not revoked already. */
  readonly refuseMissing: (name: string) => never;
};
type Named = { readonly name: string };

/** Revokes one by its name, for good. */
export const revokeByName = (
  description: OperatorDescription,
  { table, objectKind, cleared = sql``, refuseMissing }: Tokens,
): ComposableOperation<Named, Named> =>
  operatorOperation(description, {
    load: (db, { name }: Named) =>
      db.maybe(sql<{ id: number }>`select id from ${table} where name = ${name} and revoked_at is null`),

    decide(found, { name }) {
      const { id } = found ?? refuseMissing(name);
      return { answer: { name }, id };
    },

    persist(db, { answer, id }, context) {
      const changed = sql`
        update ${table} set revoked_at = ${context.now}${cleared} where id = ${id} and revoked_at is null returning id, name`;
      return persistRecorded(db, { changed }, { objectKind, operation: 'revoke' }, { answer, context });
    },
  });
