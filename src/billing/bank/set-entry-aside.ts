import { operatorTransaction } from '../../operations/operator-operation.ts';
import { setEntryStatus } from './bank-entry-store.ts';
import { recordEntryChange } from './bank-history.ts';
import { lockBankEntry } from './lock-bank-entry.ts';

/** Closes a line without booking it and removes it from the list of unmatched lines. */
export const setEntryAside = operatorTransaction(
  { name: 'set bank entry aside', right: 'money', refusals: ['entryUnknown', 'entryHasStatus'] },
  {
    async transact(db, { id }: { readonly id: number }, context) {
      const { actor, now, reason } = context;
      await lockBankEntry(db, id, 'unmatched');
      await setEntryStatus(db, id, { actor, now, reason: reason?.text, from: 'unmatched', to: 'aside' });
      await recordEntryChange(
        db,
        id,
        { operation: 'set bank entry aside', from: 'unmatched', to: 'aside' },
        context,
      );
      return { id };
    },
  },
);
