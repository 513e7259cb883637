import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import type { OperatorChange } from '../operator-change.ts';
import { allowAddresses, disallowAddresses, listAllowedAddresses } from '../registrars/allowed-addresses.ts';

type Change = {
  readonly verb: 'allow' | 'disallow';
  /** Code of the registrar. */
  readonly registrar: string;
  readonly range: string;
  readonly note: string;
  /** From where the person comes who changes the list. */
  readonly ownAddress: string;
};

/**
 * Changes from where people of a registrar may use the console. The person who does it must still be let in afterwards. The
 * registrar is locked, so that two who shorten the list at once do not shut one of them out.
 */
export function changeConsoleAddresses(
  db: Pool,
  { verb, registrar, range, note, ownAddress }: Change,
  change: OperatorChange,
): Promise<'changed' | 'own address outside' | 'unchanged' | 'too many'> {
  return runTransaction(db, change.at, async (tx) => {
    await tx.run(sql`select from registrars where code = ${registrar} for no key update`);
    const ranges = (await listAllowedAddresses(tx, registrar, 'console')).map((listed) => listed.range);
    const next = verb === 'allow' ? [...ranges, range] : ranges.filter((listed) => listed !== range);
    if (next.length > 0 && !addressMatcher(next)(ownAddress)) return 'own address outside';
    if (verb === 'disallow')
      return (await disallowAddresses(tx, registrar, range, change, 'console')) ? 'changed' : 'unchanged';
    const outcome = await allowAddresses(tx, registrar, { range, note }, change, 'console');
    return outcome === 'allowed' ? 'changed' : outcome === 'too many' ? 'too many' : 'unchanged';
  });
}
