import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import type { Context, Operation } from '../operation.ts';
import { refusal } from '../registry-refusals.ts';
import { checkAdminContacts, checkContactCounts, resolveContacts } from './contact-rules.ts';
import type { ContactInfo, ContactRole, Domain } from './domain.ts';
import { named } from './domain-operation.ts';
import type { Changed, NamedContact } from './domain-parts.ts';
import { contactInfo, type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { type DomainChangePlan, persistChange } from './persist.ts';
import { type DomainStatus, requireNotProhibited } from './statuses.ts';

export type ContactsChange = { readonly name: string; readonly contacts: readonly NamedContact[] };
type Loaded = FoundDomain & { readonly own: readonly ContactInfo[] };

const ROLES: readonly ContactRole[] = ['admin', 'tech'];
const GUARDS: Readonly<Record<ContactRole, DomainStatus>> = {
  admin: 'serverAdminChangeProhibited',
  tech: 'serverTechChangeProhibited',
};

/** Idempotent: a contact that is linked already is no failure. */
export const addContacts: Operation<ContactsChange, Loaded, DomainChangePlan> = {
  async load(db, { name, contacts }, context) {
    const keys = contacts.map(({ code }) => searchKey(code));
    const [found, own] = await Promise.all([
      loadDomain(db, name, context),
      db.rows(sql<{ contact: ContactInfo }>`
        select ${contactInfo()} as contact from contacts c
        where c.code_key = any(${keys}::text[]) and c.registrar_id = ${context.principal.registrarId}`),
    ]);
    return { ...found, own: own.map(({ contact }) => contact) };
  },

  decide(loaded, { contacts }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    requireNotProhibited('update', domain.statuses, ...roleGuards(contacts));
    const { domain: after, refusals } = withContacts(domain, contacts, loaded.own, context);
    requireNone([...refusals, ...checkContactCounts(after, () => 'contacts', context)]);
    return { answer: named(domain), operation: 'add contacts', before: domain, after };
  },

  persist: persistChange,
};

export const removeContacts: Operation<ContactsChange, FoundDomain, DomainChangePlan> = {
  load: (db, { name }, context) => loadDomain(db, name, context),

  decide(found, { contacts }, context) {
    const domain = requireSponsoredDomain(found, context);
    requireNotProhibited('update', domain.statuses, ...roleGuards(contacts));
    const { domain: after, refusals } = withoutContacts(domain, contacts);
    requireNone([...refusals, ...checkContactCounts(after, () => 'contacts', context)]);
    return { answer: named(domain), operation: 'remove contacts', before: domain, after };
  },

  persist: persistChange,
};

/** The statuses that prohibit changes of the contacts in these roles. */
export const roleGuards = (contacts: readonly NamedContact[]): DomainStatus[] =>
  ROLES.filter((role) => contacts.some((item) => item.role === role)).map((role) => GUARDS[role]);

/** The contacts are found among `own`, those of the sponsor. */
export function withContacts(
  domain: Domain,
  contacts: readonly NamedContact[],
  own: readonly ContactInfo[],
  context: Pick<Context, 'now' | 'policy'>,
): Changed {
  const resolved = ROLES.map((role) =>
    resolveContacts(
      contacts.filter((item) => item.role === role),
      role,
      own,
    ),
  );
  const added = resolved
    .flatMap(({ found }) => found)
    .filter(({ id, role }) => !domain.contacts.some((item) => item.id === id && item.role === role));
  const admins = added
    .filter(({ role }) => role === 'admin')
    .map((admin) => ({ ...admin, field: fieldOf(contacts, admin.code) }));
  const links = added.map(({ id, code, email, role }) => ({ id, code, email, role }));
  return {
    domain: { ...domain, contacts: [...domain.contacts, ...links] },
    refusals: [...resolved.flatMap(({ refusals }) => refusals), ...checkAdminContacts(admins, context)],
  };
}

export function withoutContacts(domain: Domain, contacts: readonly NamedContact[]): Changed {
  const isSame = (one: { code: string; role: ContactRole }, other: { code: string; role: ContactRole }) =>
    one.role === other.role && searchKey(one.code) === searchKey(other.code);
  const missing = contacts.filter((item) => !domain.contacts.some((link) => isSame(link, item)));
  return {
    domain: {
      ...domain,
      contacts: domain.contacts.filter((link) => !contacts.some((item) => isSame(link, item))),
    },
    refusals: missing.map(({ code, role, field }) =>
      refusal('contactNotLinked', { contact: code, role, field }),
    ),
  };
}

const fieldOf = (contacts: readonly NamedContact[], code: string): string =>
  contacts.find((item) => item.role === 'admin' && searchKey(item.code) === searchKey(code))?.field ??
  'contacts';
