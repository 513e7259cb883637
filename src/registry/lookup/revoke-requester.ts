import { sql } from '../../platform/sql/statement.ts';
import { revokeByName } from '../named-tokens.ts';
import { refuse } from '../operator-refusals.ts';

/** Its token is refused from then on. */
export const revokeRequester = revokeByName(
  { name: 'revoke requester', right: 'services', refusals: ['requesterMissing'] },
  {
    table: sql`lookup_requesters`,
    objectKind: 'look-up requester',
    refuseMissing: (name) => refuse('requesterMissing', { name }),
  },
);
