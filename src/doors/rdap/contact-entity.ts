import type { DomainRole } from '../../policy/policy.ts';
import type { DisclosedContact } from '../../registry/lookup/disclosure.ts';
import { addressProperty, emptyAddress, jCard } from './jcard.ts';
import type { Entity, JCardProperty, PublicId } from './rdap-objects.ts';

export const RDAP_ROLES: Readonly<Record<DomainRole, string>> = {
  registrant: 'registrant',
  admin: 'administrative',
  tech: 'technical',
};

/** Whether the form that reaches registrants stands for the e-mail address. */
export const isReachedByForm = ({ role, redacted }: DisclosedContact): boolean =>
  role === 'registrant' && redacted.includes('email');

/** A contact of a domain as an entity. What is hidden is told by `redactionsOf`, of the same contact. */
export function contactEntity(contact: DisclosedContact, contactForm: string): Entity {
  const { role, kind, shown, redacted } = contact;
  const { code, name = '', ident, country, email, phone, address } = shown;
  return {
    objectClassName: 'entity',
    ...(code !== undefined && { handle: code }),
    roles: [RDAP_ROLES[role]],
    ...(ident && { publicIds: [publicIdOf(ident, country)] }),
    vcardArray: jCard({
      name,
      kind: kind === 'organisation' ? 'org' : 'individual',
      email,
      phone,
      isOrganisation: kind === 'organisation' && name !== '',
      contactUri: isReachedByForm(contact) ? contactForm : undefined,
      address: shownAddress(address, country, redacted.includes('address')),
    }),
  };
}

const IDENTIFIERS = { org: 'registry-code', priv: 'identity-code', birthday: 'date-of-birth' } as const;

/** The types that .ee has announced, such as `ee-registry-code`: the country is that which gave the code. */
function publicIdOf(
  { ident, type }: NonNullable<DisclosedContact['shown']['ident']>,
  country: string | undefined,
): PublicId {
  const kind = IDENTIFIERS[type];
  return { type: country === undefined ? kind : `${country.toLowerCase()}-${kind}`, identifier: ident };
}

/** A redacted address is there with empty components; without an address only the country may be known. */
function shownAddress(
  address: DisclosedContact['shown']['address'],
  country: string | undefined,
  isRedacted: boolean,
): JCardProperty | undefined {
  if (address) return addressProperty(address);
  return isRedacted || country !== undefined ? emptyAddress(country) : undefined;
}
