import type { Refusal } from '../../../operations/refusal.ts';
import { dayIn } from '../../../platform/values/dates.ts';
import { isYoungerThan } from '../../contacts/ident.ts';
import type { Context } from '../../operation.ts';
import type { ContactInfo, ContactRole, Domain } from '../domain.ts';
import type { ContactPlace } from './domain-paths.ts';
import { refusal } from './domain-refusals.ts';

type Named = { readonly code: string; readonly at: ContactPlace };
const LIMITS = { admin: 'mostAdminContacts', tech: 'mostTechContacts' } as const;

/** Resolves the contacts a request names among the caller's; reports missing and duplicate ones. */
export function resolveContacts(
  named: readonly Named[],
  own: readonly ContactInfo[],
): { found: (ContactInfo & Named)[]; refusals: Refusal[] } {
  const found: (ContactInfo & Named)[] = [];
  const refusals: Refusal[] = [];
  for (const { code, at } of named) {
    const contact = own.find((item) => item.code.toLowerCase() === code.toLowerCase());
    if (!contact) refusals.push(refusal('bodyObjectMissing', { object: code, at }));
    else if (found.some(({ id }) => id === contact.id))
      refusals.push(refusal('contactTwice', { contact: contact.code, at }));
    else found.push({ ...contact, at });
  }
  return { found, refusals };
}

/** An admin contact must be a person, and of age if the identification shows it. */
export function checkAdminContacts(
  admins: readonly (ContactInfo & { readonly at: ContactPlace | readonly ['admins'] })[],
  { policy, now }: Pick<Context, 'now' | 'policy'>,
): Refusal[] {
  const today = dayIn(policy.timeZone, now);
  return admins.flatMap(({ code, ident, at }) => {
    if (ident.type === 'org') return [refusal('adminNotPerson', { contact: code, at })];
    return isYoungerThan(ident, policy.domains.adminAgeYears, policy, today)
      ? [refusal('adminTooYoung', { contact: code, at })]
      : [];
  });
}

/** Bounds on the number of contacts, checked after every addition or removal. */
export function checkContactCounts(
  { contacts, registrant }: Pick<Domain, 'contacts' | 'registrant'>,
  at: (role: ContactRole) => readonly ['admins' | 'techs' | 'contacts' | 'registrant'],
  context: Pick<Context, 'now' | 'policy'>,
): Refusal[] {
  const { domains } = context.policy;
  const refusals = (['admin', 'tech'] as const).flatMap((role) => {
    const most = domains[LIMITS[role]];
    const count = contacts.filter((contact) => contact.role === role).length;
    return count > most ? [refusal('tooMany', { most, what: `${role} contacts`, at: at(role) })] : [];
  });
  return needsAdmin(registrant, context) && !contacts.some(({ role }) => role === 'admin')
    ? [...refusals, refusal('adminRequired', { at: at('admin') })]
    : refusals;
}

function needsAdmin({ ident }: ContactInfo, { policy, now }: Pick<Context, 'now' | 'policy'>): boolean {
  const { adminRequired, adminAgeYears } = policy.domains;
  return (
    adminRequired &&
    (ident.type === 'org' || isYoungerThan(ident, adminAgeYears, policy, dayIn(policy.timeZone, now)))
  );
}
