import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../billing-refusals.ts';
import type { Effects } from '../payments/apply-payment-update.ts';
import { recordEntryChange } from './bank-history.ts';
import { bookLine } from './import-statement.ts';
import { lockBankEntry, requireIncoming } from './lock-bank-entry.ts';
import { purposeOfRegistrar } from './match.ts';

type Assignment = { readonly id: number; readonly code: string };

/** Books a line to a registrar: to its oldest invoice over that amount, or to a new one. Answers the invoice's number. */
export const assignToRegistrar = (effects: Effects) =>
  operatorTransaction(
    {
      name: 'assign bank entry to registrar',
      right: 'money',
      refusals: [
        'entryUnknown',
        'entryHasStatus',
        'entryIsReversal',
        'entryTakenBack',
        'entryCurrencyDiffers',
        'registrarUnknown',
        'noInvoiceNumber',
      ],
    },
    {
      async transact(db, { id, code }: Assignment, context) {
        const { actor, now, reason, policy } = context;
        const entry = await lockBankEntry(db, id, 'unmatched');
        requireIncoming(entry);
        if (entry.direction === 'debit') refuse('entryTakenBack');
        if (entry.currency !== policy.currency)
          refuse('entryCurrencyDiffers', { currency: policy.currency, received: entry.currency });
        const registrar = await db.maybe(sql<{ id: number }>`select id from registrars where code = ${code}`);
        if (!registrar) return refuse('registrarUnknown', { code });
        const purpose = await purposeOfRegistrar(db, registrar.id, entry);
        const by = { actor, now, reason: reason?.text, from: 'unmatched' } as const;
        const number = await bookLine(db, entry, purpose, { ...effects, policy }, by);
        const change = { operation: 'assign bank entry', from: 'unmatched', to: 'booked' } as const;
        await recordEntryChange(db, id, { ...change, invoice: number }, context);
        return { number };
      },
    },
  );
