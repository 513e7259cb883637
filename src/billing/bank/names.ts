import { createHash } from 'node:crypto';
import type { BankLine } from './line.ts';

/**
 * The names under which the bank may tell of each line again, in another document or twice in one. Its own references
 * come first; where it has none, what is said of the payment has to tell it, and of payments that say the same within
 * one document each has its number.
 */
export function namesOf(lines: readonly BankLine[]): string[][] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const digest = digestOf(line);
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    const { ownReference: own, entryReference: entry, share } = line;
    if (share === 'part' && own === null)
      return [`${entry === null ? 'digest' : `part ${entry}`} ${digest} ${count}`];
    const references = [...new Set(share === 'part' ? [own] : [own, entry])].filter((text) => text !== null);
    return references.length > 0
      ? references.map((reference) => `reference ${reference}`)
      : [`digest ${digest} ${count}`];
  });
}

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
