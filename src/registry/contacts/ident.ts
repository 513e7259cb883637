import type { Temporal } from 'temporal-polyfill';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import { parseDay } from '../../platform/values/dates.ts';
import { isBlank, isLengthWithin } from '../../platform/values/normalise-text.ts';
import { countries } from '../../policy/countries.ts';
import type { IdentType, Policy } from '../../policy/policy.ts';
import { refusal } from './contact-refusals.ts';

/** An identification as sent by a client: any member may be absent. */
export type IdentText = { readonly [K in keyof Ident]?: string | undefined };
export type Ident = { readonly ident: string; readonly type: IdentType; readonly countryCode: string };

/** The members of an identification that were given, in the form in which they are stored. */
export type IdentPart = { readonly [K in keyof Ident]?: string };

/** Whether they are valid is left open: what differs from the stored identification is refused as such. */
export function partOfIdent({ ident, type, countryCode: country }: IdentText): IdentPart {
  const code = ident?.trim();
  return {
    ...(code && { ident: code }),
    ...(type && { type }),
    ...(country && { countryCode: country.toUpperCase() }),
  };
}

export const identTypes: readonly IdentType[] = ['priv', 'org', 'birthday'];

/** Checks an identification by the rules of its country and returns all failures. */
export function parseIdent(text: IdentText, policy: Policy, today: Temporal.PlainDate): Parsed<Ident> {
  const refusals: Refusal[] = [];
  const wrong = (member: keyof Ident, expected: string) =>
    refusals.push(refusal('wrongSyntax', { at: ['ident', member], expected }));
  const ident = text.ident?.trim();
  const type = identTypes.find((known) => known === text.type);
  const country = text.countryCode?.toUpperCase();

  const missing = (member: keyof Ident) => refusals.push(refusal('fieldMissing', { at: ['ident', member] }));

  if (!ident || isBlank(ident)) missing('ident');
  else {
    const expected = expectedIdent(ident, type, country, policy, today);
    if (expected) wrong('ident', expected);
  }
  if (!text.type) missing('type');
  else if (!type) wrong('type', `one of ${identTypes.join(', ')}`);
  else if (type === 'birthday' && country && policy.contacts.noBirthdayCountries.includes(country)) {
    wrong('type', `priv or org for ${country}, which gives everybody a personal code`);
  }
  if (!country) missing('countryCode');
  else if (!countries.has(country)) wrong('countryCode', 'an ISO 3166-1 alpha-2 country code');

  if (refusals.length > 0) return { refusals };
  return ident && type && country ? { value: { ident, type, countryCode: country } } : { refusals: [] };
}

/** What the identification should look like, or undefined if it is valid. */
function expectedIdent(
  ident: string,
  type: IdentType | undefined,
  country: string | undefined,
  policy: Policy,
  today: Temporal.PlainDate,
): string | undefined {
  const { identLength, forbiddenAnywhere, identFormats, oldestAgeYears } = policy.contacts;
  if (!isLengthWithin(ident, { max: identLength }) || forbiddenAnywhere.test(ident))
    return `at most ${identLength} characters without markup`;
  if (type === 'birthday') {
    const day = parseDay(ident);
    const sane =
      day && day.since(today).sign <= 0 && day.since(today.subtract({ years: oldestAgeYears })).sign >= 0;
    return sane ? undefined : `a date yyyy-mm-dd in the past ${oldestAgeYears} years`;
  }
  const format = identFormats.find((known) => known.country === country && known.type === type);
  if (!format) return undefined;
  if (!format.accepts(ident)) return format.expected;
  const birthDay = format.birthDay?.(ident) ?? '';
  return isAfter(birthDay, 0, today) ? `${format.expected} of a person who has been born` : undefined;
}

/** Whether a day yyyy-mm-dd is in the future if so many years are added to it; not if it is no day. */
function isAfter(text: string, years: number, today: Temporal.PlainDate): boolean {
  if (Number(text.slice(0, 4)) + years < today.year) return false; // usually the year decides, without the cost of a calendar computation
  const day = parseDay(text);
  return day !== undefined && day.add({ years }).since(today).sign > 0;
}

/** Whether the identification shows that its holder is younger than so many years; most types show no age. */
export function isYoungerThan(
  { ident, type, countryCode }: Ident,
  years: number,
  policy: Policy,
  today: Temporal.PlainDate,
): boolean {
  const format = policy.contacts.identFormats.find(
    (known) => known.country === countryCode && known.type === type,
  );
  const text = type === 'birthday' ? ident : (format?.birthDay?.(ident) ?? '');
  return isAfter(text, years, today);
}
