/** What a person may do for a registrar. */
export const PERSON_ROLES = ['admin', 'domains', 'billing', 'reader'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

export type PersonRight =
  /** See domains, contacts and messages. */
  | 'read'
  /** Change them, and see transfer codes. */
  | 'objects'
  /** Balance, invoices, top-up. */
  | 'money'
  /** People, API users, addresses, certificates. */
  | 'access';

const RIGHTS: Readonly<Record<PersonRole, readonly PersonRight[]>> = {
  admin: ['read', 'objects', 'money', 'access'],
  domains: ['read', 'objects'],
  billing: ['money'],
  reader: ['read'],
};

export const hasPersonRight = (roles: readonly PersonRole[], right: PersonRight): boolean =>
  roles.some((role) => RIGHTS[role].includes(right));

export type PersonLanguage = 'en' | 'et';

/** As email addresses of people are compared. */
export const emailKey = (email: string): string => email.normalize('NFC').trim().toLowerCase();
