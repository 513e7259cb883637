import { normaliseText } from '../../platform/text.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuse } from '../../reservations/refusals.ts';

const ORGANIZATION_NAME = /^[\p{L}\p{N}\s-]+$/u;
const DOMAIN_NAME = /^[\p{L}\p{N}.-]+$/u;
const USER_UNIQUE_ID = /^[\w-]{10}$/;
const INVOICE_NUMBER = /^[1-9]\d{0,14}$/;
const LONGEST_CUSTOMER_NAME = 255;
const MAX_DOMAIN_NAME = 1_024;
/** A character may come as a letter with marks, each of up to two units of UTF-16. */
const MAX_UNITS_PER_CHARACTER = 6;

export function readOrganizationName(text: string, { reservations }: Policy): string {
  const most = reservations.organizationNameLength;
  const name = normaliseText(text, MAX_UNITS_PER_CHARACTER * most);
  if (name === undefined || [...name].length > most || name.trim() === '' || !ORGANIZATION_NAME.test(name))
    return refuse('invalidOrganizationName');
  return name;
}

/** How many names there are is looked at before what they are. */
export function readNames(body: unknown, { reservations: { mostNames } }: Policy): string[] {
  const names = memberOf(body, 'domain_names');
  if (!Array.isArray(names) || names.length === 0) return refuse('invalidDomainNames');
  if (names.length > mostNames) refuse('tooManyNames', { most: mostNames });
  return names.every(isDomainName) ? names : refuse('invalidDomainNames');
}

const isDomainName = (value: unknown): value is string =>
  typeof value === 'string' && DOMAIN_NAME.test(normaliseText(value, MAX_DOMAIN_NAME) ?? value);

/** The free reservation that a paid one takes over; where there is none it may be missing, null or empty. */
export function readOwnReservation(body: unknown): string | undefined {
  const id = memberOf(body, 'user_unique_id');
  if (id === undefined || id === null || id === '') return undefined;
  return readUserUniqueId(id) ?? refuse('invalidUserUniqueId');
}

/** Undefined for what no reservation can have. */
export function readUserUniqueId(value: unknown): string | undefined {
  return typeof value === 'string' && USER_UNIQUE_ID.test(value) ? value : undefined;
}

/** What a paid reservation is asked for by; undefined when no invoice can have it. */
export function readInvoiceQuery(
  query: unknown,
): { readonly invoiceNumber: number; readonly userUniqueId: string } | undefined {
  const [number, id] = [memberOf(query, 'invoice_number'), memberOf(query, 'user_unique_id')];
  if (typeof number !== 'string' || !/^\d+$/.test(number) || typeof id !== 'string' || id === '')
    return refuse('invalidInvoiceQuery');
  const userUniqueId = readUserUniqueId(id);
  return userUniqueId && INVOICE_NUMBER.test(number)
    ? { invoiceNumber: Number(number), userUniqueId }
    : undefined;
}

/** The buyer as he wants to stand on paper: a company gets its name after its domain. */
export function readCustomerName(query: unknown): string | undefined {
  const name = memberOf(query, 'customer_name');
  if (name === undefined || name === '') return undefined;
  if (typeof name !== 'string' || name.length > LONGEST_CUSTOMER_NAME || /\p{Cc}/u.test(name))
    return refuse('invalidCustomerName');
  return name.trim() || undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
