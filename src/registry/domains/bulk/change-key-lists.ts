import { requireNone } from '../../../operations/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Context } from '../../operation.ts';
import { isSameKey } from '../change-keys.ts';
import type { Domain } from '../domain.ts';
import { checkDuplicateKeys, checkKeyCount, type DnsKey } from '../rules/dnssec-keys.ts';
import { NO_PARTS } from '../rules/domain-parts.ts';
import type { BulkFinding } from './bulk-findings.ts';
import { partsChange, type PartsOf, previewChange } from './change-parts-of-many.ts';
import { changeEach, type RowChange, type RowResult } from './row-results.ts';

/** What the DNSSEC keys of many domains become. */
export type KeyListChange = {
  /** Whether those that are not added go. */
  readonly removesOthers: boolean;
  readonly add: readonly DnsKey[];
};

/** Each by itself, in a transaction of the caller. */
export const changeKeysOf = async (
  db: Sql,
  names: readonly string[],
  change: KeyListChange,
  context: Context,
): Promise<RowResult[]> => changeEach(db, names, keysChange(change, context), context);

/** What would become of each of these domains. */
export const previewKeyLists = (
  database: Database,
  names: readonly string[],
  change: KeyListChange,
  context: Context,
): Promise<BulkFinding[]> =>
  previewChange(database, names, (_db) => Promise.resolve(keysChange(change, context)), context);

function keysChange(change: KeyListChange, context: Context): RowChange {
  requireNone(checkAdded(change, context.policy));
  return partsChange(keyParts(change), [], context);
}

/** What no domain can have refuses the whole. */
const checkAdded = ({ add }: KeyListChange, policy: Policy) => [
  ...checkDuplicateKeys(add, [], ['add', 'dnsKeys']),
  ...checkKeyCount(add.length, policy),
];

/** Only what the domain lacks is added. A key that it has with other flags is another one. */
export const keyParts =
  ({ removesOthers, add }: KeyListChange): PartsOf =>
  ({ dnsKeys }: Domain) => ({
    remove: {
      ...NO_PARTS.remove,
      keys: removesOthers ? dnsKeys.filter((key) => !add.some((one) => isSameKey(one, key))) : [],
    },
    add: { ...NO_PARTS.add, keys: add.filter((key) => !dnsKeys.some((one) => isSameKey(one, key))) },
  });
