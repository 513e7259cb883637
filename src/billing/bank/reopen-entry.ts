import { operatorTransaction } from '../../operations/operator-operation.ts';
import { setEntryStatus } from './bank-entry-store.ts';
import { recordEntryChange } from './bank-history.ts';
import { lockBankEntry } from './lock-bank-entry.ts';

/** Puts a line that was set aside back on the list of unmatched lines. */
export const reopenEntry = operatorTransaction(
  { name: 'reopen bank entry', right: 'money', refusals: ['entryUnknown', 'entryHasStatus'] },
  {
    async transact(db, { id }: { readonly id: number }, context) {
      const { actor, now, reason } = context;
      await lockBankEntry(db, id, 'aside');
      await setEntryStatus(db, id, { actor, now, reason: reason?.text, from: 'aside', to: 'unmatched' });
      await recordEntryChange(
        db,
        id,
        { operation: 'reopen bank entry', from: 'aside', to: 'unmatched' },
        context,
      );
      return { id };
    },
  },
);
