import type { ContactRole } from '../../../registry/domains/domain.ts';
import type { Language } from '../../html/layout.ts';

export type DomainTexts = {
  readonly statuses: string;
  readonly note: string;
  readonly dates: string;
  readonly labels: Readonly<
    Record<
      | 'created'
      | 'changed'
      | 'transferred'
      | 'expires'
      | 'outzone'
      | 'deletion'
      | 'forceStart'
      | 'forceDelete'
      | 'reference',
      string
    >
  >;
  readonly renewal: string;
  readonly renewalOf: (price: string) => string;
  readonly request: (kind: string, newRegistrant: string | null, until: string) => string;
  /** What is known of a request that waits for the registrant. */
  readonly waiting: Readonly<
    Record<
      | ('newRegistrant' | 'further' | 'yes' | 'askedBy' | 'askedAt' | 'email')
      | ('sendAgain' | 'withdraw' | 'again'),
      string
    >
  >;
  readonly contacts: string;
  readonly contactColumns: readonly [role: string, name: string, code: string];
  readonly roles: Readonly<Record<'registrant' | ContactRole, string>>;
  readonly nameservers: string;
  readonly nameserverColumns: readonly [host: string, addresses: string];
  readonly noNameservers: string;
  readonly keys: string;
  readonly keyColumns: readonly [tag: string, flags: string, algorithm: string, key: string];
  readonly noKeys: string;
  readonly code: string;
  readonly codeHint: string;
  readonly showCode: string;
  readonly codeIs: string;
  readonly toDomain: string;
};

const english: DomainTexts = {
  statuses: 'Status',
  note: 'Note of the registry:',
  dates: 'Dates and price',
  labels: {
    created: 'Registered',
    changed: 'Last changed',
    transferred: 'Transferred',
    expires: 'Expires',
    outzone: 'Out of the zone from',
    deletion: 'Will be deleted',
    forceStart: 'Forced deletion from',
    forceDelete: 'Will be deleted by force',
    reference: 'Your reference',
  },
  renewal: 'One-year renewal',
  renewalOf: (price) => `${price}, as of today`,
  request: (kind, newRegistrant, until) =>
    kind === 'deletion'
      ? `Waiting for the registrant to confirm the deletion by ${until}.`
      : `Waiting for the registrant to confirm the new registrant${newRegistrant === null ? '' : `, ${newRegistrant},`} by ${until}.`,
  waiting: {
    newRegistrant: 'New registrant',
    further: 'Other changes',
    yes: 'These will be applied together with the new registrant',
    askedBy: 'Requested by',
    askedAt: 'Requested at',
    email: 'Mail to',
    sendAgain: 'Send again',
    withdraw: 'Withdraw',
    again: 'Sent again',
  },
  contacts: 'Contacts',
  contactColumns: ['Role', 'Name', 'Code'],
  roles: { registrant: 'Registrant', admin: 'Administrative', tech: 'Technical' },
  nameservers: 'Nameservers',
  nameserverColumns: ['Host', 'Addresses'],
  noNameservers: 'The domain has no nameservers.',
  keys: 'DNSSEC keys',
  keyColumns: ['Key tag', 'Flags', 'Algorithm', 'Public key'],
  noKeys: 'The domain is not signed.',
  code: 'Transfer code',
  codeHint: 'Anyone who has the code can take the domain to another registrar. Every view is logged.',
  showCode: 'Show the transfer code',
  codeIs: 'The transfer code is',
  toDomain: 'Hide it again',
};

const estonian: DomainTexts = {
  statuses: 'Olek',
  note: 'Registri märkus:',
  dates: 'Kuupäevad ja hind',
  labels: {
    created: 'Registreeritud',
    changed: 'Viimati muudetud',
    transferred: 'Üle kantud',
    expires: 'Aegub',
    outzone: 'Tsoonist väljas alates',
    deletion: 'Kustutatakse',
    forceStart: 'Sundkustutamine alates',
    forceDelete: 'Kustutatakse sundkorras',
    reference: 'Sinu viide',
  },
  renewal: 'Pikendamine aasta võrra',
  renewalOf: (price) => `${price} tänase seisuga`,
  request: (kind, newRegistrant, until) =>
    kind === 'deletion'
      ? `Registreerija kinnitust kustutamisele oodatakse kuni ${until}.`
      : `Registreerija kinnitust uuele registreerijale${newRegistrant === null ? '' : ` ${newRegistrant}`} oodatakse kuni ${until}.`,
  waiting: {
    newRegistrant: 'Uus registreerija',
    further: 'Muud muudatused',
    yes: 'Ka need ootavad ja jõustuvad koos uue registreerijaga',
    askedBy: 'Taotles',
    askedAt: 'Taotletud',
    email: 'Kiri saadeti',
    sendAgain: 'Saada uuesti',
    withdraw: 'Võta tagasi',
    again: 'Uuesti saadetud',
  },
  contacts: 'Kontaktid',
  contactColumns: ['Roll', 'Nimi', 'Kood'],
  roles: { registrant: 'Registreerija', admin: 'Halduskontakt', tech: 'Tehniline kontakt' },
  nameservers: 'Nimeserverid',
  nameserverColumns: ['Host', 'Aadressid'],
  noNameservers: 'Domeenil ei ole nimeservereid.',
  keys: 'DNSSEC-võtmed',
  keyColumns: ['Võtme tunnus', 'Lipud', 'Algoritm', 'Avalik võti'],
  noKeys: 'Domeen ei ole allkirjastatud.',
  code: 'Ülekandekood',
  codeHint: 'Kes koodi teab, saab domeeni teise registripidaja juurde viia. Iga vaatamine logitakse.',
  showCode: 'Näita ülekandekoodi',
  codeIs: 'Ülekandekood on',
  toDomain: 'Peida uuesti',
};

const TEXTS: Readonly<Record<Language, DomainTexts>> = { en: english, et: estonian };
export const domainTexts = (lang: Language): DomainTexts => TEXTS[lang];
