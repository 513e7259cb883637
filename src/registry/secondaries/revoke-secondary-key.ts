import { sql } from '../../platform/sql/statement.ts';
import { revokeByName } from '../named-tokens.ts';
import { refuse } from '../operator-refusals.ts';

/** Revokes a key and deletes its secret. */
export const revokeSecondaryKey = revokeByName(
  { name: 'revoke secondary key', right: 'zones', refusals: ['keyMissing'] },
  {
    table: sql`dns_keys`,
    objectKind: 'dns key',
    cleared: sql`, secret = null`,
    refuseMissing: (name) => refuse('keyMissing', { name }),
  },
);
