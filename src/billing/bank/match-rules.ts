import { mod97 } from '../../platform/values/money.ts';
import type { Initiator } from '../invoices/invoice.ts';
import { isReferenceNumber } from '../invoices/reference-numbers.ts';
import type { BankLine } from './bank-line.ts';

/** Why no rule could book a line. */
export type UnmatchedReason =
  | 'reference missing'
  | 'reference unknown'
  | 'references several'
  | 'reference used twice'
  | 'amount'
  | 'currency'
  | 'batch'
  | 'return'
  | 'no number';

/** A reference number that was assigned, and to whom. */
export type ReferenceOwner = {
  readonly number: string;
  readonly initiator: Initiator;
  readonly owner: string | null;
  /** Set where the owner is a registrar. */
  readonly registrarId: number | null;
};

/** Why a line is left to a person, whatever its reference. */
export function whyUnbookable(
  { isReturn, share, currency }: Pick<BankLine, 'isReturn' | 'share' | 'currency'>,
  ownCurrency: string,
): UnmatchedReason | undefined {
  if (isReturn) return 'return';
  if (share === 'batch') return 'batch';
  return currency === ownCurrency ? undefined : 'currency';
}

/** Whom a line pays: the owner of its most reliable candidates, if they have one owner only. */
export function chooseOwner(
  line: LineReferences,
  known: readonly ReferenceOwner[],
): ReferenceOwner | UnmatchedReason {
  for (const candidates of candidatesOf(line)) {
    const [owner, ...others] = known.filter(({ number }) => candidates.includes(number));
    if (owner && others.every((other) => isSameOwner(owner, other))) return owner;
    if (owner) return 'references several';
  }
  return line.referenceNumber === null ? 'reference missing' : 'reference unknown';
}

const isSameOwner = (one: ReferenceOwner, other: ReferenceOwner): boolean =>
  one.initiator === other.initiator && one.owner !== null && one.owner === other.owner;

type LineReferences = Pick<BankLine, 'referenceNumber' | 'description' | 'endToEndId'>;

const CREDITOR_REFERENCE = /(?<![A-Z0-9])RF\d{2}\d{2,21}(?!\d)/g;
/** In free text a number of fewer than five digits is nearly always a year, a count or a house number. */
const NUMBER = /(?<!\d)\d{5,20}(?!\d)/g;

/**
 * The reference numbers that a payment may mean, most reliable first. A filled-in reference field rules out all other
 * candidates, even where it is wrong.
 */
export function candidatesOf({ referenceNumber, description, endToEndId }: LineReferences): string[][] {
  if (referenceNumber !== null) return [readReference(referenceNumber)];
  return [numbersIn(description), numbersIn(endToEndId ?? '')];
}

/** Reads the reference field: an Estonian reference number, or the same as a creditor reference (ISO 11649). */
function readReference(text: string): string[] {
  const plain = text.replaceAll(/\s/g, '').toUpperCase();
  const number = plain.startsWith('RF') ? nationalPart(plain) : plain;
  return [...new Set([number, number.replace(/^0+/, '')])].filter(isReferenceNumber);
}

function numbersIn(text: string): string[] {
  const capitals = text.toUpperCase();
  const international = Array.from(capitals.matchAll(CREDITOR_REFERENCE), ([found]) => nationalPart(found));
  const plain = Array.from(capitals.matchAll(NUMBER), ([found]) => found);
  return [...new Set([...international, ...plain])].filter(isReferenceNumber);
}

/** Empty where the check digits are wrong. */
const nationalPart = (reference: string): string =>
  mod97(reference.slice(4) + reference.slice(0, 4)) === 1 ? reference.slice(4).replace(/^0+/, '') : '';
