import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { trustedAuthorities } from './authorities.ts';
import { type AuthorityKeys, withKey } from './authority-keys.ts';
import { refuse } from './certificate-refusals.ts';
import { publishList, signList } from './revocation-lists.ts';

type Signing = {
  /** One of our own. */
  readonly authority: number;
  readonly keys: Pick<AuthorityKeys, 'find' | 'fileOf'>;
};
type SignedList = { readonly authority: number; readonly until: Date };

/** Signs a new revocation list of an authority, due or not. */
export const signRevocationList = operatorTransaction(
  {
    name: 'sign revocation list',
    right: 'operation',
    refusals: ['authorityMissing', 'authorityKeyMissing'],
  },
  {
    async prepare({ authority: id, keys }: Signing, { now, policy }, db) {
      const trusted = await trustedAuthorities(db);
      const own = trusted.find((each) => each.own && each.id === id) ?? refuse('authorityMissing', { id });
      const authority = await withKey(own, keys);
      return { authority, signed: await signList(db, authority, now, policy) };
    },

    async transact(db, _signing, context, { authority, signed }): Promise<SignedList> {
      await publishList(db, authority, signed, context.now);
      const { basis, until } = signed;
      const entry = {
        objectKind: 'authority',
        operation: 'sign revocation list',
        after: { number: basis.number },
      };
      const from = sql`from authorities changed where changed.id = ${authority.id}`;
      await db.run(insertHistory(entry, context, from));
      return { authority: authority.id, until };
    },
  },
);
