import { createHash } from 'node:crypto';
import type { BankLine } from './line.ts';

export type NamedLine = {
  readonly line: BankLine;
  /** Those under which the bank may tell of it again. */
  readonly names: readonly string[];
  /** Another line of the same document has its reference and its amount: nobody can tell which of them was known. */
  readonly repeats: boolean;
};

/**
 * Names the lines of a document, so that each is known when it comes again, in another document or in the same. The
 * bank's own references come first; where it has none, what is said of the payment has to tell it, and of payments that
 * say the same within one document each has its number.
 */
export function withNames(lines: readonly BankLine[]): NamedLine[] {
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
    if (first === undefined) return { line, names: [namelessIn(line, numbered)], repeats: false };
    const money = `${line.direction} ${line.amount} ${line.currency}`;
    const repeats = references.map((reference) => count(`${reference} ${money}`)).some((times) => times > 1);
    return { line, names: repeats ? [`again ${first} ${numbered}`] : references, repeats };
  });
}

/** A payment that is all of its entry has the entry's reference as well. */
function referencesOf({ ownReference, entryReference, share }: BankLine): string[] {
  const all = share === 'part' ? [ownReference] : [ownReference, entryReference];
  return [...new Set(all)].filter((text) => text !== null);
}

const namelessIn = ({ entryReference }: BankLine, numbered: string): string =>
  entryReference === null ? `digest ${numbered}` : `part ${entryReference} ${numbered}`;

/** Another payment under the same reference: kept under a name of its own, since it cannot be the same. */
export const clashingName = (name: string, line: BankLine): string => `other ${name} ${digestOf(line)}`;

/** Only what a notification and the statement after it both tell. */
function digestOf(line: BankLine): string {
  const { account, direction, amount, currency, bookedOn, referenceNumber, description, endToEndId } = line;
  const told = [account, direction, amount.toString(), currency, bookedOn, referenceNumber, description];
  return createHash('sha256')
    .update(JSON.stringify([...told, endToEndId, line.partyAccount]))
    .digest('hex');
}
