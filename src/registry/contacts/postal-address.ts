import type { Parsed, Refusal } from '../../operations/refusal.ts';
import { jsonObject } from '../../platform/sql/columns.ts';
import { constant, type Fragment, sql } from '../../platform/sql/statement.ts';
import { isBlank, isLengthWithin } from '../../platform/values/normalise-text.ts';
import { countries } from '../../policy/countries.ts';
import type { Policy } from '../../policy/policy.ts';
import { ADDRESS } from './contact-members.ts';
import { refusal } from './contact-refusals.ts';

/** An address as sent by a client: any member may be absent. */
export type AddressText = {
  readonly street?: readonly string[] | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly countryCode?: string | undefined;
};

declare const checked: unique symbol;
/** Never without city and country. Only parseAddress creates it. */
export type PostalAddress = Members & { readonly [checked]: 'postal address' };
type Members = {
  readonly street?: readonly string[];
  readonly city: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly countryCode: string;
};

// The lengths of RFC 5733.
const MAX_STREET_LINES = 3;
const MAX_LINE = 255;
const MAX_POSTAL_CODE = 16;

/** Whether the policy stores no addresses, so that the one in this text is ignored. */
export const isAddressDiscarded = (
  { address }: { readonly address?: AddressText | undefined },
  policy: Policy,
): boolean => address !== undefined && policy.contacts.address === 'none';

/** Checks an address and returns all failures, in the order of its members. */
export function parseAddress(text: AddressText, policy: Policy): Parsed<PostalAddress> {
  const refusals: Refusal[] = [];
  const wrong = (member: keyof Members, expected: string) =>
    refusals.push(refusal('wrongSyntax', { at: ['address', member], expected }));
  const missing = (member: keyof Members) =>
    refusals.push(refusal('fieldMissing', { at: ['address', member] }));
  const check = (member: keyof Members, given: string, max = MAX_LINE): string => {
    const value = given.trim();
    if (isBlank(value)) missing(member);
    else if (!isLengthWithin(value, { max }) || policy.contacts.forbiddenAnywhere.test(value))
      wrong(member, `at most ${max} characters without markup`);
    return value;
  };

  const street = text.street?.map((line) => check('street', line)) ?? [];
  if (street.length > MAX_STREET_LINES) {
    const expected = `at most ${MAX_STREET_LINES} lines`;
    refusals.push(refusal('outOfRange', { at: ['address', 'street'], expected }));
  }
  const city = check('city', text.city ?? '');
  const state = text.state === undefined ? undefined : check('state', text.state);
  const postalCode =
    text.postalCode === undefined ? undefined : check('postalCode', text.postalCode, MAX_POSTAL_CODE);
  const countryCode = (text.countryCode ?? '').trim().toUpperCase();
  if (countryCode === '') missing('countryCode');
  else if (!countries.has(countryCode)) wrong('countryCode', 'an ISO 3166-1 alpha-2 country code');

  if (refusals.length > 0) return { refusals };
  const members: Members = {
    ...(street.length > 0 && { street }),
    city,
    ...(state !== undefined && { state }),
    ...(postalCode !== undefined && { postalCode }),
    countryCode,
  };
  return { value: members as PostalAddress };
}

/** The address of a row `c` of contacts as a PostalAddress, or null. */
export const POSTAL_ADDRESS: Fragment = constant(
  sql`case when c.city is not null then json_strip_nulls(${jsonObject(ADDRESS)}) end`,
);

/** An object with the member `address` in the form of addressInHistory, or an empty one. */
export const ADDRESS_IN_HISTORY: Fragment = sql`case when c.city is null then '{}' else jsonb_build_object('address', jsonb_strip_nulls(
  jsonb_build_object('street', c.street, 'city', c.city, 'state', c.state, 'postal_code', c.postal_code, 'country_code', c.country_code))) end`;

export type AddressInHistory = Pick<Members, 'city'> & {
  readonly street: Members['street'] | undefined;
  readonly state: string | undefined;
  readonly postal_code: string | undefined;
  readonly country_code: string;
};

export const addressInHistory = ({
  street,
  city,
  state,
  postalCode,
  countryCode,
}: PostalAddress): AddressInHistory => ({
  street,
  city,
  state,
  postal_code: postalCode,
  country_code: countryCode,
});

/** On one line, with the country by its code or by the name that is given. */
export const addressLine = (
  { street = [], city, state, postalCode, countryCode }: Members,
  country: string = countryCode,
): string => [...street, city, state, postalCode, country].filter(Boolean).join(', ');
