import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import type { Operation } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { named } from './change.ts';
import { checkAdminContacts, checkContactCounts, resolveContacts } from './contact-rules.ts';
import type { ContactInfo, ContactRole, Domain } from './domain.ts';
import { contactInfo, type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { type DomainChangePlan, persistChange } from './persist.ts';
import { type DomainStatus, requireNotProhibited } from './statuses.ts';

export type NamedContact = { readonly code: string; readonly role: ContactRole; readonly field: string };
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
    requireRolesAllowed(domain, contacts);
    const resolved = ROLES.map((role) =>
      resolveContacts(
        contacts.filter((item) => item.role === role),
        role,
        loaded.own,
      ),
    );
    const added = resolved
      .flatMap(({ found }) => found)
      .filter(({ id, role }) => !domain.contacts.some((item) => item.id === id && item.role === role));
    const after = {
      ...domain,
      contacts: [
        ...domain.contacts,
        ...added.map(({ id, code, email, role }) => ({ id, code, email, role })),
      ],
    };
    const admins = added
      .filter(({ role }) => role === 'admin')
      .map((admin) => ({ ...admin, field: fieldOf(contacts, admin.code) }));
    requireNone([
      ...resolved.flatMap(({ refusals }) => refusals),
      ...checkAdminContacts(admins, context),
      ...checkContactCounts(after, () => 'contacts', context),
    ]);
    return { answer: named(domain), operation: 'add contacts', before: domain, after };
  },

  persist: persistChange,
};

export const removeContacts: Operation<ContactsChange, FoundDomain, DomainChangePlan> = {
  load: (db, { name }, context) => loadDomain(db, name, context),

  decide(found, { contacts }, context) {
    const domain = requireSponsoredDomain(found, context);
    requireRolesAllowed(domain, contacts);
    const isNamed = (link: { code: string; role: ContactRole }) =>
      contacts.some(({ code, role }) => role === link.role && searchKey(code) === searchKey(link.code));
    const missing = contacts.filter(
      ({ code, role }) =>
        !domain.contacts.some((link) => link.role === role && searchKey(link.code) === searchKey(code)),
    );
    const after = { ...domain, contacts: domain.contacts.filter((link) => !isNamed(link)) };
    requireNone([
      ...missing.map(({ code, role, field }) => refusal('contactNotLinked', { contact: code, role, field })),
      ...checkContactCounts(after, () => 'contacts', context),
    ]);
    return { answer: named(domain), operation: 'remove contacts', before: domain, after };
  },

  persist: persistChange,
};

function requireRolesAllowed({ statuses }: Domain, contacts: readonly NamedContact[]): void {
  const guards = ROLES.filter((role) => contacts.some((item) => item.role === role)).map(
    (role) => GUARDS[role],
  );
  requireNotProhibited('update', statuses, ...guards);
}

const fieldOf = (contacts: readonly NamedContact[], code: string): string =>
  contacts.find((item) => item.role === 'admin' && searchKey(item.code) === searchKey(code))?.field ??
  'contacts';
