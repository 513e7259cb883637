import type { OperatorContext } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { BankStatus } from './bank-entry-store.ts';

type EntryChange = {
  readonly operation: string;
  readonly from: BankStatus;
  readonly to: BankStatus;
  readonly invoice?: number;
};

/** What an operator did with a line, besides the list of its own changes. */
export async function recordEntryChange(
  db: Sql,
  id: number,
  { operation, from, to, invoice }: EntryChange,
  context: OperatorContext,
): Promise<void> {
  const entry = {
    objectKind: 'bank entry',
    objectId: id,
    objectName: String(id),
    operation,
    registrarId: null,
    before: { status: from },
    after: { status: to, ...(invoice !== undefined && { invoice }) },
  };
  await db.run(insertHistory(entry, context, sql``));
}
