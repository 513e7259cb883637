import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { findWrongCounts } from '../../src/registry/stored-counts.ts';

/** The counts that lists show equal the numbers of objects. */
export async function auditCounts(db: Sql): Promise<Finding[]> {
  const wrong = await findWrongCounts(db);
  return wrong.map(({ registrar, kind, stored, counted }) => ({
    finding: 'a registrar has another number of objects than is stored',
    subject: `${registrar} ${kind}`,
    expected: String(counted),
    found: String(stored),
  }));
}
