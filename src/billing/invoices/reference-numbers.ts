import { randomInt } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Initiator } from './invoice.ts';

type Owner = {
  readonly initiator: Initiator;
  readonly owner: string | undefined;
  readonly email: string | undefined;
};

const WEIGHTS = [7, 3, 1] as const;
/** Digits without the check digit. There are as many owners as customers, but invoices are issued for ever. */
const OWNER_DIGITS = 6;
const INVOICE_DIGITS = 9;
/** Out of nearly a million numbers: this many collisions in a row mean that none are left. */
const ATTEMPTS = 100;

/** The check digit of the 7-3-1 method: weights from the right, up to the next multiple of ten. */
export function checkDigit(base: string): number {
  const digits = Array.from(base, Number).reverse();
  const sum = digits.reduce(
    (total, digit, index) => total + digit * (WEIGHTS[index % WEIGHTS.length] ?? 0),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** The rule in words, for refusals. */
export const REFERENCE_NUMBER_RULE = 'a reference number of 2 to 20 digits, the last of them its check digit';

export const isReferenceNumber = (text: string): boolean =>
  /^\d{2,20}$/.test(text) && checkDigit(text.slice(0, -1)) === Number(text.slice(-1));

/** An owner has one permanent number; without an owner a new one is made each time. */
export const referenceNumberOf = (db: Sql, owner: Owner, now: Date): Promise<string> =>
  findOrAdd(db, OWNER_DIGITS, owner, now);

/** For an invoice whose payer is unknown: every invoice has one, so that a bank transfer finds it. */
export const invoiceReferenceNumber = (db: Sql, initiator: Initiator, now: Date): Promise<string> =>
  findOrAdd(db, INVOICE_DIGITS, { initiator, owner: undefined, email: undefined }, now);

async function findOrAdd(db: Sql, digits: number, owner: Owner, now: Date): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const number = (await findNumber(db, owner)) ?? (await addNumber(db, digits, owner, now));
    if (number !== undefined) return number;
  }
  throw new Error('no free reference number was found');
}

/** A random number, unless that is taken, or the owner was given one at the same moment. */
async function addNumber(
  db: Sql,
  digits: number,
  { initiator, owner, email }: Owner,
  now: Date,
): Promise<string | undefined> {
  const base = String(randomInt(10 ** (digits - 1), 10 ** digits));
  const added = await db.maybe(sql<{ number: string }>`
    insert into reference_numbers (number, initiator, owner, email, created_at)
    values (${`${base}${checkDigit(base)}`}, ${initiator}, ${owner ?? null}, ${email ?? null}, ${now})
    on conflict do nothing returning number`);
  return added?.number;
}

async function findNumber(db: Sql, { initiator, owner }: Owner): Promise<string | undefined> {
  if (owner === undefined) return undefined;
  const row = await db.maybe(sql<{ number: string }>`
    select number from reference_numbers where initiator = ${initiator} and owner = ${owner} order by created_at, number limit 1`);
  return row?.number;
}

export type ImportedReference = { readonly number: string; readonly owner: string | null };

/** Returns the new ones; known numbers are not changed. */
export async function importReferences(
  db: Sql,
  initiator: Initiator,
  references: readonly ImportedReference[],
  now: Date,
): Promise<string[]> {
  const added = await db.rows(sql<{ number: string }>`
    insert into reference_numbers (number, initiator, owner, imported, created_at)
    select number, ${initiator}, owner, true, ${now}
    from unnest(${references.map(({ number }) => number)}::text[], ${references.map(({ owner }) => owner)}::text[]) as r(number, owner)
    order by number on conflict do nothing returning number`);
  return added.map(({ number }) => number);
}
