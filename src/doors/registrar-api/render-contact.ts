import { isoTimeIn } from '../../platform/values/dates.ts';
import type { WholeContact } from '../../registry/contacts/contact.ts';
import type { Context } from '../../registry/operation.ts';
import { ROLES } from './contact-json.ts';
import { renderSponsor } from './render-results.ts';

/** A contact that was written, with the members that `contact-json.ts` reads, in the same order; without the auth_info. */
export function renderWholeContact(
  { code, contact, links }: WholeContact,
  { principal, policy: { timeZone } }: Pick<Context, 'principal' | 'policy'>,
) {
  const { ident } = contact;
  return {
    code,
    name: contact.name,
    ident: { code: ident.ident, type: ident.type, country_code: ident.countryCode },
    email: contact.email,
    phone: contact.phone,
    statuses: statusesOf(contact, links.total > 0),
    disclosed_attributes: contact.disclosedAttributes,
    reference: contact.reference,
    registrar: renderSponsor(principal),
    domains: links.domains.map(({ name, roles, expireTime }) => ({
      name,
      roles: roles.map((role) => ROLES[role]),
      expire_time: isoTimeIn(timeZone, expireTime),
    })),
    domains_count: links.total,
  };
}

/** Stored and computed ones in the order of a JSON object of PostgreSQL: by length, then by letter. */
function statusesOf(
  { statuses }: WholeContact['contact'],
  isLinked: boolean,
): Readonly<Record<string, string | null>> {
  const all = Object.keys(statuses).length === 0 ? { ok: null } : statuses;
  const entries = Object.entries(isLinked ? { ...all, linked: null } : all);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => one.length - other.length || (one < other ? -1 : 1)),
  );
}
