import { sql } from '../platform/sql/statement.ts';
import { revokeByName } from '../registry/named-tokens.ts';
import { refuse } from './operator-refusals.ts';

export const revokeToken = revokeByName(
  { name: 'revoke portal token', right: 'services', refusals: ['tokenMissing'] },
  {
    table: sql`portal_tokens`,
    objectKind: 'portal token',
    refuseMissing: (name) => refuse('tokenMissing', { name }),
  },
);
