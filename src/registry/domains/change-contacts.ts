import { searchKey } from '../contacts/contact-fields.ts';
import type { Context } from '../operation.ts';
import { checkAdminContacts, resolveContacts } from './rules/contact-rules.ts';
import { type ContactInfo, type ContactRole, type Domain, linkOf } from './domain.ts';
import type { Changed, NamedContact } from './rules/domain-parts.ts';
import { refusal } from './rules/domain-refusals.ts';
import type { DomainStatus } from './rules/domain-statuses.ts';

const ROLES: readonly ContactRole[] = ['admin', 'tech'];
const GUARDS: Readonly<Record<ContactRole, DomainStatus>> = {
  admin: 'serverAdminChangeProhibited',
  tech: 'serverTechChangeProhibited',
};

/** The statuses that prohibit changes of the contacts in these roles. */
export const roleGuards = (contacts: readonly NamedContact[]): DomainStatus[] =>
  ROLES.filter((role) => contacts.some((item) => item.role === role)).map((role) => GUARDS[role]);

/** The contacts are found among `own`, those of the sponsor; one that is linked already is no failure. */
export function withContacts(
  domain: Domain,
  contacts: readonly NamedContact[],
  own: readonly ContactInfo[],
  context: Pick<Context, 'now' | 'policy'>,
): Changed {
  const placed = contacts.map((contact, index) => ({
    ...contact,
    at: contact.at ?? (['add', 'contacts', index] as const),
  }));
  const resolved = ROLES.map((role) => {
    const { found, refusals } = resolveContacts(
      placed.filter((item) => item.role === role),
      own,
    );
    return { found: found.map((contact) => ({ ...contact, role })), refusals };
  });
  const added = resolved
    .flatMap(({ found }) => found)
    .filter(({ id, role }) => !domain.contacts.some((item) => item.id === id && item.role === role));
  const admins = added.filter(({ role }) => role === 'admin');
  const links = added.map((contact) => linkOf(contact, contact.role));
  return {
    domain: { ...domain, contacts: [...domain.contacts, ...links] },
    refusals: [...resolved.flatMap(({ refusals }) => refusals), ...checkAdminContacts(admins, context)],
  };
}

export function withoutContacts(domain: Domain, contacts: readonly NamedContact[]): Changed {
  const isSame = (one: { code: string; role: ContactRole }, other: { code: string; role: ContactRole }) =>
    one.role === other.role && searchKey(one.code) === searchKey(other.code);
  return {
    domain: {
      ...domain,
      contacts: domain.contacts.filter((link) => !contacts.some((item) => isSame(link, item))),
    },
    refusals: contacts.flatMap((item, index) =>
      domain.contacts.some((link) => isSame(link, item))
        ? []
        : [
            refusal('contactNotLinked', {
              contact: item.code,
              role: item.role,
              at: ['remove', 'contacts', index],
            }),
          ],
    ),
  };
}
