import type { ContactOrder } from '../../../registry/contacts/search-contacts.ts';
import type { Language } from '../../html/layout.ts';
import type { ContactFilterName } from './contact-query.ts';

export type ContactsTexts = {
  readonly title: string;
  readonly filter: string;
  readonly fields: Readonly<Record<ContactFilterName | 'sort', string>>;
  readonly fault: string;
  readonly orders: Readonly<Record<ContactOrder, string>>;
  readonly labels: Readonly<
    Record<
      | ('name' | 'code' | 'ident' | 'email' | 'phone' | 'address')
      | ('created' | 'changed' | 'statuses' | 'disclosed' | 'reference'),
      string
    >
  >;
  readonly none: string;
  readonly noneYet: string;
  readonly waiting: string;
  readonly waitingColumns: readonly [domain: string, what: string, until: string];
  readonly waitingFor: Readonly<Record<'deletion' | 'change' | 'follower', string>>;
  readonly domains: string;
  readonly domainColumns: readonly [name: string, roles: string];
  readonly noDomains: string;
  readonly allDomains: string;
};

const english: ContactsTexts = {
  title: 'Contacts',
  filter: 'Filter of contacts',
  fields: { name: 'Name', code: 'Code', ident: 'Identification code', email: 'E-mail', sort: 'Order' },
  fault: 'Too long, or with characters that no contact has.',
  orders: {
    name: 'Name, a to z',
    '-name': 'Name, z to a',
    code: 'Code, a to z',
    '-code': 'Code, z to a',
  },
  labels: {
    name: 'Name',
    code: 'Code',
    ident: 'Identification',
    email: 'Email address',
    phone: 'Phone',
    address: 'Postal address',
    created: 'Created',
    changed: 'Last changed',
    statuses: 'Statuses',
    disclosed: 'Lets the registry publish',
    reference: 'Your reference',
  },
  none: 'No matches. Remove or shorten a filter.',
  noneYet: 'There are no contacts yet.',
  waiting: 'Waiting for a confirmation',
  waitingColumns: ['Domain', 'What is waited for', 'Until'],
  waitingFor: {
    deletion: 'This registrant must confirm the deletion',
    change: 'This registrant must confirm another registrant',
    follower: 'The present registrant must confirm this contact as the new one',
  },
  domains: 'Domains',
  domainColumns: ['Domain', 'Roles'],
  noDomains: 'No domain uses this contact.',
  allDomains: 'Show them in the list of domains',
};

const estonian: ContactsTexts = {
  title: 'Kontaktid',
  filter: 'Kontaktide filter',
  fields: {
    name: 'Nimi',
    code: 'Kood',
    ident: 'Isiku- või registrikood',
    email: 'E-post',
    sort: 'Järjestus',
  },
  fault: 'Liiga pikk või märkidega, mida ühelgi kontaktil ei ole.',
  orders: { name: 'Nimi, a–z', '-name': 'Nimi, z–a', code: 'Kood, a–z', '-code': 'Kood, z–a' },
  labels: {
    name: 'Nimi',
    code: 'Kood',
    ident: 'Isiku- või registrikood',
    email: 'E-posti aadress',
    phone: 'Telefon',
    address: 'Postiaadress',
    created: 'Loodud',
    changed: 'Viimati muudetud',
    statuses: 'Olekud',
    disclosed: 'Lubab registril avaldada',
    reference: 'Sinu viide',
  },
  none: 'Midagi ei leitud. Eemalda mõni filter või lühenda seda.',
  noneYet: 'Kontakte veel ei ole.',
  waiting: 'Ootab kinnitust',
  waitingColumns: ['Domeen', 'Mida oodatakse', 'Kuni'],
  waitingFor: {
    deletion: 'See registreerija peab kinnitama kustutamise',
    change: 'See registreerija peab kinnitama uue registreerija',
    follower: 'Praegune registreerija peab kinnitama, et uus registreerija on see kontakt',
  },
  domains: 'Domeenid',
  domainColumns: ['Domeen', 'Rollid'],
  noDomains: 'Ükski domeen ei kasuta seda kontakti.',
  allDomains: 'Näita neid domeenide loendis',
};

const TEXTS: Readonly<Record<Language, ContactsTexts>> = { en: english, et: estonian };
export const contactsTexts = (lang: Language): ContactsTexts => TEXTS[lang];
