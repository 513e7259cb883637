import type { PostalAddress } from '../../registry/contacts/postal-address.ts';
import type { JCard, JCardProperty } from './rdap-objects.ts';

type Card = {
  /** Empty where it is redacted: a jCard must have a name (RFC 6350, 6.2.1). */
  readonly name: string;
  readonly kind: 'individual' | 'org' | 'group';
  /** Whether the name is that of an organisation, to be repeated where clients look for it. */
  readonly isOrganisation?: boolean;
  readonly address?: JCardProperty | undefined;
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly url?: string | undefined;
  /** A form that reaches the contact, where the address is hidden (RFC 8605). */
  readonly contactUri?: string | undefined;
};

export function jCard({ name, kind, isOrganisation, address, phone, email, url, contactUri }: Card): JCard {
  return [
    'vcard',
    [
      ['version', {}, 'text', '4.0'],
      ['fn', {}, 'text', name],
      ['kind', {}, 'text', kind],
      ...(isOrganisation ? [['org', {}, 'text', name] as const] : []),
      ...(address ? [address] : []),
      ...(phone ? [['tel', { type: 'voice' }, 'uri', telephoneUri(phone)] as const] : []),
      ...(email ? [['email', {}, 'text', email] as const] : []),
      ...(contactUri === undefined ? [] : [['contact-uri', {}, 'uri', contactUri] as const]),
      ...(url === undefined ? [] : [['url', {}, 'uri', url] as const]),
    ],
  ];
}

/** The components of an address (RFC 6350, 6.3.1) that it can have here; redactions name them by these positions. */
export const ADDRESS_COMPONENTS = { street: 2, city: 3, state: 4, postalCode: 5 } as const;

/** The country is a parameter (RFC 8605). */
export function addressProperty({
  street = [],
  city,
  state = '',
  postalCode = '',
  countryCode,
}: PostalAddress): JCardProperty {
  const lines = street.length > 1 ? street : (street[0] ?? '');
  return ['adr', { cc: countryCode }, 'text', ['', '', lines, city, state, postalCode, '']];
}

/** An address of which at most the country is shown. */
export const emptyAddress = (country: string | undefined): JCardProperty => [
  'adr',
  country === undefined ? {} : { cc: country },
  'text',
  ['', '', '', '', '', '', ''],
];

/** Phones are stored in the form of EPP (`+372.5551234`); the dot is no part of a number. */
const telephoneUri = (phone: string): string => `tel:${phone.replace('.', '')}`;
