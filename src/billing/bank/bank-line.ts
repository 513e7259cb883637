import { createHash } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';

/** One payment on one of our accounts, as reported by a bank. */
export type BankLine = {
  readonly account: string;
  readonly direction: 'credit' | 'debit';
  /** It reverses an earlier payment. */
  readonly isReturn: boolean;
  readonly amount: Cents;
  readonly currency: string;
  /** yyyy-mm-dd */
  readonly bookedOn: string;
  readonly referenceNumber: string | null;
  readonly description: string;
  readonly endToEndId: string | null;
  /** The counterparty: payer or payee. */
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  /** The bank's own references of this payment and of the entry that contains it. */
  readonly ownReference: string | null;
  readonly entryReference: string | null;
  /** Whether it is its whole entry, one payment of a batch, or a batch that the bank does not itemize. */
  readonly share: 'whole' | 'part' | 'batch';
};

/** A bank document that cannot be imported, with the reason in one sentence; nothing of it was imported. */
export class UnreadableStatement extends Error {
  override name = 'UnreadableStatement';
}

export type KeyedLine = {
  readonly line: BankLine;
  /** The keys by which a second report of it is recognized. */
  readonly keys: readonly string[];
  /**
   * Another line of the same document has the same reference and amount, so neither can be matched to a stored entry.
   */
  readonly repeats: boolean;
};

/**
 * Gives the lines of a document keys so that a repeated line is recognized, in the same or another document. The bank's own
 * references come first; without one the key is a digest of the payment, numbered among equal ones of one document.
 */
export function withKeys(lines: readonly BankLine[]): KeyedLine[] {
  const seen = new Map<string, number>();
  const count = (text: string): number => {
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return times;
  };
  return lines.map((line) => {
    const digest = digestOf(line);
    const numbered = `${digest} ${count(digest)}`;
    const references = referencesOf(line).map((reference) => `reference ${reference}`);
    const [first] = references;
    if (first === undefined) return { line, keys: [digestKey(line, numbered)], repeats: false };
    const money = `${line.direction} ${line.amount} ${line.currency}`;
    const repeats = references.map((reference) => count(`${reference} ${money}`)).some((times) => times > 1);
    return { line, keys: repeats ? [`again ${first} ${numbered}`] : references, repeats };
  });
}

/** A payment that is its whole entry also has the entry's reference. */
function referencesOf({ ownReference, entryReference, share }: BankLine): string[] {
  const all = share === 'part' ? [ownReference] : [ownReference, entryReference];
  return [...new Set(all)].filter((text) => text !== null);
}

const digestKey = ({ entryReference }: BankLine, numbered: string): string =>
  entryReference === null ? `digest ${numbered}` : `part ${entryReference} ${numbered}`;

/**
 * A different payment under the same reference: stored under a key of its own, since it cannot be the same payment.
 */
export const clashingKey = (key: string, line: BankLine): string => `other ${key} ${digestOf(line)}`;

/** Covers only the fields that both a notification and the later statement contain. */
function digestOf(line: BankLine): string {
  const { account, direction, amount, currency, bookedOn, referenceNumber, description, endToEndId } = line;
  const fields = [account, direction, amount.toString(), currency, bookedOn, referenceNumber, description];
  return createHash('sha256')
    .update(JSON.stringify([...fields, endToEndId, line.partyAccount]))
    .digest('hex');
}

/**
 * Not every bank marks returns. A debit with the end-to-end id and the amount of an incoming payment, or with one of
 * our reference numbers, is treated as a return so that an operator sees it.
 */
export async function withUnmarkedReturns(db: Sql, all: readonly KeyedLine[]): Promise<KeyedLine[]> {
  const debits = all.filter(({ line }) => line.direction === 'debit' && !line.isReturn);
  if (debits.length === 0) return [...all];
  const lines = debits.map(({ line }) => line);
  const rows = await db.rows(sql<{ position: number }>`
    select d.position::int as position
    from unnest(${lines.map(({ account }) => account)}::text[], ${lines.map(({ endToEndId }) => endToEndId)}::text[],
      ${lines.map(({ amount }) => amount.toString())}::bigint[], ${lines.map(({ referenceNumber }) => referenceNumber)}::text[])
      with ordinality as d(account, end_to_end_id, amount, reference_number, position)
    where exists (select from bank_entries e where e.account = d.account and e.end_to_end_id = d.end_to_end_id and e.amount = d.amount and e.direction = 'credit')
      or exists (select from reference_numbers n where n.number = d.reference_number)`);
  const returning = new Set(rows.map(({ position }) => debits[position - 1]));
  const paid = new Set(all.flatMap(({ line }) => (line.direction === 'credit' ? returnKeysOf(line) : [])));
  return all.map((item) =>
    returning.has(item) ||
    (item.line.direction === 'debit' && returnKeysOf(item.line).some((key) => paid.has(key)))
      ? { ...item, line: { ...item.line, isReturn: true } }
      : item,
  );
}

/** The keys shared by a payment and its return within one document. */
const returnKeysOf = ({ account, endToEndId, amount }: BankLine): string[] =>
  endToEndId === null ? [] : [JSON.stringify([account, endToEndId, amount.toString()])];
