import type { OperatorOperation } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { runAndRollBack } from '../../platform/sql/run-and-roll-back.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { UnreadableStatement } from './bank-line.ts';
import { type BankDependencies, type Imported, importStatement } from './import-statement.ts';

type Statement = { readonly file: string; readonly bytes: Uint8Array };

/** Imports a file that an operator has. Each payment is a transaction of its own; the import is recorded at its end. */
export const importStatementByHand = (
  findBank: () => Omit<BankDependencies, 'pool' | 'policy'>,
): OperatorOperation<Statement, Imported> => ({
  name: 'import bank statement',
  right: 'money',
  refusals: ['statementUnreadable'],
  variant: ({ file, bytes }, context) => {
    const work = async (pool: Pool): Promise<Imported> => {
      const { now, policy } = context;
      const imported = await importStatement({ ...findBank(), pool, policy }, bytes, now).catch(
        (error: unknown) => {
          if (!(error instanceof UnreadableStatement)) throw error;
          return refuse('statementUnreadable', { complaint: error.message });
        },
      );
      const entry = {
        objectKind: 'bank statement',
        objectId: 0,
        objectName: file,
        operation: 'import bank statement',
        registrarId: null,
        after: imported,
      };
      await pool.run(insertHistory(entry, context, sql``));
      return imported;
    };
    return async ({ store: { writes } }) => ({
      replayed: false,
      answer: await (context.dryRun ? runAndRollBack(writes, work) : work(writes)),
    });
  },
});
