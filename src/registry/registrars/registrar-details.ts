import type { Refusal } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { isBlank } from '../../platform/values/normalise-text.ts';
import { webAddress } from '../../platform/values/web-address.ts';
import type { Policy } from '../../policy/policy.ts';
import { isEmail, isPhone } from '../contacts/contact-fields.ts';
import { type OperatorPath, refusal } from '../operator-refusals.ts';

/** How the public reaches a registrar. */
export type PublicContact = {
  readonly phone: string | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
};

/** What a registrar is called, and how it is reached. */
export type RegistrarDetails = PublicContact & {
  readonly name: string;
  /** Shown as a link; empty for none. */
  readonly website: string;
  /** Where the registry writes to. */
  readonly email: string | null;
};

/** The details of the registrar `r`, as history has them. */
export const DETAILS_IN_HISTORY = sql`
  jsonb_build_object('name', r.name, 'website', r.website, 'email', r.email, 'phone', r.phone,
    'abuse_email', r.abuse_email, 'abuse_phone', r.abuse_phone)`;

/** The database may have others from before. */
export function checkDetails(details: Partial<RegistrarDetails>, policy: Policy): Refusal[] {
  const { name, website, phone, abuseEmail, abusePhone } = details;
  return [
    ...(name !== undefined && isBlank(name) ? [refusal('registrarNameEmpty')] : []),
    ...(website && webAddress(website) === undefined ? [refusal('websiteInvalid', { at: ['website'] })] : []),
    ...checkPhone(phone, ['phone'], policy),
    ...(abuseEmail && !isEmail(abuseEmail, policy) ? [refusal('emailInvalid', { at: ['abuseEmail'] })] : []),
    ...checkPhone(abusePhone, ['abusePhone'], policy),
  ];
}

const checkPhone = (phone: string | null | undefined, at: OperatorPath, policy: Policy): Refusal[] =>
  phone && !isPhone(phone, policy) ? [refusal('phoneInvalid', { at })] : [];
