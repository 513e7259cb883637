import type { TOptional, TString } from 'typebox';
import { parseDay, parseMoment } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { ContactFilters } from '../../../registry/contacts/list-contacts.ts';
import type { DomainFilters } from '../../../registry/domains/lists/list-domains.ts';
import { parseHostname } from '../../../registry/domains/rules/parse-nameservers.ts';
import { VERBATIM } from '../../http/normalise-value.ts';
import { Type } from '../../http/schema-builder.ts';
import { paging, Text } from '../schemas.ts';
import { MAX_LISTED } from './calls.ts';

/** The paging of lists that have no limit at the incumbent. */
export const listPaging = {
  ...paging,
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_LISTED, description: 'how many items at the most' }),
  ),
};

/** The names of the incumbent's filters, without those of codes and of the order. */
export const CONTACT_FILTERS = [
  'q[name_matches]',
  'q[ident_matches]',
  'q[email_matches]',
  'q[ident_type_eq]',
  'q[country_code_eq]',
  'q[statuses_contains_array]',
  'q[updated_at_gteq]',
  'q[created_at_gteq]',
  'q[created_at_lteq]',
] as const;
export const DOMAIN_FILTERS = [
  'q[name_matches]',
  'q[registrant_code_eq]',
  'q[contacts_ident_eq]',
  'q[nameservers_hostname_eq]',
  'q[valid_to_gteq]',
  'q[valid_to_lteq]',
  'q[statuses_contains_array]',
] as const;
type ContactFilterName = (typeof CONTACT_FILTERS)[number];
type DomainFilterName = (typeof DOMAIN_FILTERS)[number];
type Given<Name extends string> = { readonly [name in Name]?: string };

export const filterSchema = <Name extends string>(names: readonly Name[]): Record<Name, TOptional<TString>> =>
  Object.fromEntries(
    names.map((name) => [name, Type.Optional(Text('a filter', { maxLength: 255, ...VERBATIM }))]),
  ) as Record<Name, TOptional<TString>>;

/** The filters of a query; undefined if it has none, since a list without filters is faster. */
export function contactFiltersIn(
  given: Given<ContactFilterName>,
  policy: Policy,
): ContactFilters | undefined {
  if (!CONTACT_FILTERS.some((name) => given[name] !== undefined)) return undefined;
  return {
    nameLike: patternOf(given['q[name_matches]']),
    identLike: patternOf(given['q[ident_matches]']),
    emailLike: patternOf(given['q[email_matches]']),
    identType: given['q[ident_type_eq]'],
    countryCode: given['q[country_code_eq]'],
    statuses: statusesOf(given['q[statuses_contains_array]']),
    createdFrom: momentOf(given['q[created_at_gteq]'], policy),
    createdUntil: momentOf(given['q[created_at_lteq]'], policy),
    updatedFrom: momentOf(given['q[updated_at_gteq]'], policy),
  };
}

export function domainFiltersIn(given: Given<DomainFilterName>, policy: Policy): DomainFilters | undefined {
  if (!DOMAIN_FILTERS.some((name) => given[name] !== undefined)) return undefined;
  const host = given['q[nameservers_hostname_eq]'];
  return {
    nameLike: patternOf(given['q[name_matches]']),
    registrantCode: given['q[registrant_code_eq]'],
    contactIdent: given['q[contacts_ident_eq]'],
    nameserver: host === undefined ? undefined : (parseHostname(host) ?? host),
    statuses: statusesOf(given['q[statuses_contains_array]']),
    expiresFrom: momentOf(given['q[valid_to_gteq]'], policy),
    expiresUntil: momentOf(given['q[valid_to_lteq]'], policy),
  };
}

/** The incumbent looks for the text anywhere, unless it stands between asterisks. */
function patternOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, exact] = /^\*(.*)\*$/s.exec(text) ?? [];
  return exact ?? `%${text}%`;
}

const statusesOf = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((status) => status.trim())
    .filter((status) => status !== '');

/** A day begins in the registry's zone; other times say their own. Undefined for what is neither. */
export function momentOf(text: string | undefined, { timeZone }: Policy): Date | undefined {
  if (text === undefined) return undefined;
  const day = parseDay(text);
  return day ? new Date(day.toZonedDateTime(timeZone).epochMilliseconds) : parseMoment(text);
}
