import type { Cents } from '../../platform/values/money.ts';

/** One payment on one of our accounts, as a bank tells of it. */
export type BankLine = {
  readonly account: string;
  readonly direction: 'credit' | 'debit';
  /** It takes back what was booked before. */
  readonly returns: boolean;
  readonly amount: Cents;
  readonly currency: string;
  /** yyyy-mm-dd */
  readonly bookedOn: string;
  readonly referenceNumber: string | null;
  readonly description: string;
  readonly endToEndId: string | null;
  /** Who paid, or was paid. */
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  /** The bank's own for this payment, and for the entry that it stands in. */
  readonly ownReference: string | null;
  readonly entryReference: string | null;
  /** Whether it is all of its entry, one payment among others, or several which the bank does not tell apart. */
  readonly share: 'whole' | 'part' | 'undivided';
};

/** A bank's document that cannot be taken in, in one sentence; nothing of it was. */
export class UnreadableStatement extends Error {
  override name = 'UnreadableStatement';
}
