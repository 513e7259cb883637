import type { Language } from '../../html/layout.ts';
import type { DomainFilterName, DomainSort } from './domain-query.ts';

/** Those that a person can choose. */
export type DomainColumn =
  | ('registrant' | 'state' | 'expires' | 'created' | 'changed')
  | ('admins' | 'techs' | 'nameservers' | 'reference');

export type DomainsTexts = {
  readonly title: string;
  readonly filter: string;
  readonly fields: Readonly<Record<DomainFilterName | 'sort', string>>;
  readonly hints: Readonly<Partial<Record<DomainFilterName, string>>>;
  readonly faults: Readonly<Record<DomainFilterName, string>>;
  readonly anyStatus: string;
  readonly orders: Readonly<Record<DomainSort, string>>;
  readonly columns: Readonly<Record<'name' | DomainColumn, string>>;
  readonly none: string;
  readonly noneYet: string;
};

const english: DomainsTexts = {
  title: 'Domains',
  filter: 'Filter of domains',
  fields: {
    name: 'Name',
    status: 'Status',
    from: 'Expires from',
    to: 'Expires until',
    registrant: 'Registrant',
    contact: 'Contact',
    nameserver: 'Nameserver',
    sort: 'Order',
  },
  hints: {
    registrant: 'Name or identification code.',
    contact: 'Code, in any role.',
  },
  faults: {
    name: 'No name contains this.',
    status: 'There is no such status.',
    from: 'Write the day as 2030-12-31.',
    to: 'Write the day as 2030-12-31.',
    registrant: 'No registrant has such a name or code.',
    contact: 'No contact has such a code.',
    nameserver: 'No nameserver has such a name.',
  },
  anyStatus: 'Any',
  orders: {
    name: 'Name, a to z',
    '-name': 'Name, z to a',
    expire_time: 'Expiry, soonest first',
    '-expire_time': 'Expiry, latest first',
    created_at: 'Registration, oldest first',
    '-created_at': 'Registration, newest first',
  },
  columns: {
    name: 'Domain',
    registrant: 'Registrant',
    state: 'State',
    expires: 'Expires',
    created: 'Registered',
    changed: 'Last changed',
    admins: 'Administrative contacts',
    techs: 'Technical contacts',
    nameservers: 'Nameservers',
    reference: 'Your reference',
  },
  none: 'No matches. Remove a filter, or look the name up in the whole registry.',
  noneYet: 'There are no domains yet.',
};

const estonian: DomainsTexts = {
  title: 'Domeenid',
  filter: 'Domeenide filter',
  fields: {
    name: 'Nimi',
    status: 'Olek',
    from: 'Aegub alates',
    to: 'Aegub kuni',
    registrant: 'Registreerija',
    contact: 'Kontakt',
    nameserver: 'Nimeserver',
    sort: 'Järjestus',
  },
  hints: {
    registrant: 'Nimi või isiku- või registrikood.',
    contact: 'Kood, mis tahes rollis.',
  },
  faults: {
    name: 'Ükski nimi ei sisalda seda.',
    status: 'Sellist olekut ei ole.',
    from: 'Kirjuta kuupäev kujul 2030-12-31.',
    to: 'Kirjuta kuupäev kujul 2030-12-31.',
    registrant: 'Ühelgi registreerijal ei ole sellist nime ega koodi.',
    contact: 'Ühelgi kontaktil ei ole sellist koodi.',
    nameserver: 'Ühelgi nimeserveril ei ole sellist nime.',
  },
  anyStatus: 'Kõik',
  orders: {
    name: 'Nimi, a–z',
    '-name': 'Nimi, z–a',
    expire_time: 'Aegumine, varaseim ees',
    '-expire_time': 'Aegumine, hiliseim ees',
    created_at: 'Registreerimine, vanim ees',
    '-created_at': 'Registreerimine, uusim ees',
  },
  columns: {
    name: 'Domeen',
    registrant: 'Registreerija',
    state: 'Seis',
    expires: 'Aegub',
    created: 'Registreeritud',
    changed: 'Viimati muudetud',
    admins: 'Halduskontaktid',
    techs: 'Tehnilised kontaktid',
    nameservers: 'Nimeserverid',
    reference: 'Sinu viide',
  },
  none: 'Midagi ei leitud. Eemalda mõni filter või otsi nime kogu registrist.',
  noneYet: 'Domeene veel ei ole.',
};

const TEXTS: Readonly<Record<Language, DomainsTexts>> = { en: english, et: estonian };
export const domainsTexts = (lang: Language): DomainsTexts => TEXTS[lang];
