import type { Refusal } from '../../operations/refusal.ts';
import { dayIn } from '../../platform/values/dates.ts';
import { isYoungerThan } from '../contacts/ident.ts';
import type { Context } from '../operation.ts';
import { refusal } from '../registry-refusals.ts';
import type { ContactInfo, ContactRole, Domain, LinkedContact } from './domain.ts';

type Named = { readonly code: string; readonly field: string };
const LIMITS = { admin: 'mostAdminContacts', tech: 'mostTechContacts' } as const;

/** Resolves the contacts a request names among the caller's; reports missing and duplicate ones. */
export function resolveContacts(
  named: readonly Named[],
  role: ContactRole,
  own: readonly ContactInfo[],
): { found: (LinkedContact & ContactInfo)[]; refusals: Refusal[] } {
  const found: (LinkedContact & ContactInfo)[] = [];
  const refusals: Refusal[] = [];
  for (const { code, field } of named) {
    const contact = own.find((item) => item.code.toLowerCase() === code.toLowerCase());
    if (!contact) refusals.push(refusal('bodyObjectMissing', { object: code, field }));
    else if (found.some(({ id }) => id === contact.id))
      refusals.push(refusal('contactTwice', { contact: contact.code, field }));
    else found.push({ ...contact, role });
  }
  return { found, refusals };
}

/** An admin contact must be a person, and of age if the identification shows it. */
export function checkAdminContacts(
  admins: readonly (ContactInfo & { readonly field: string })[],
  { policy, now }: Pick<Context, 'now' | 'policy'>,
): Refusal[] {
  const today = dayIn(policy.timeZone, now);
  return admins.flatMap(({ code, ident, field }) => {
    if (ident.type === 'org') return [refusal('adminNotPerson', { contact: code, field })];
    return isYoungerThan(ident, policy.domains.adminAgeYears, policy, today)
      ? [refusal('adminTooYoung', { contact: code, field })]
      : [];
  });
}

/** Bounds on the number of contacts, checked after every addition or removal. */
export function checkContactCounts(
  { contacts, registrant }: Pick<Domain, 'contacts' | 'registrant'>,
  field: (role: ContactRole) => string,
  context: Pick<Context, 'now' | 'policy'>,
): Refusal[] {
  const { domains } = context.policy;
  const refusals = (['admin', 'tech'] as const).flatMap((role) => {
    const most = domains[LIMITS[role]];
    const count = contacts.filter((contact) => contact.role === role).length;
    return count > most ? [refusal('tooMany', { most, what: `${role} contacts`, field: field(role) })] : [];
  });
  return needsAdmin(registrant, context) && !contacts.some(({ role }) => role === 'admin')
    ? [...refusals, refusal('adminRequired', { field: field('admin') })]
    : refusals;
}

function needsAdmin({ ident }: ContactInfo, { policy, now }: Pick<Context, 'now' | 'policy'>): boolean {
  const { adminRequired, adminAgeYears } = policy.domains;
  return (
    adminRequired &&
    (ident.type === 'org' || isYoungerThan(ident, adminAgeYears, policy, dayIn(policy.timeZone, now)))
  );
}
