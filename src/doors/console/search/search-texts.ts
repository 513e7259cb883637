import type { Language } from '../../html/layout.ts';

type SearchTexts = {
  readonly title: string;
  readonly hint: string;
  readonly found: (text: string) => string;
  readonly nothing: string;
  readonly domains: string;
  readonly domainColumns: readonly string[];
  /** Links to the lists, by the filter that is used there. */
  readonly allDomains: Readonly<Record<'name' | 'registrant' | 'nameserver', (text: string) => string>>;
  readonly contacts: string;
  readonly contactColumns: readonly string[];
  readonly allContacts: Readonly<Record<'name' | 'code' | 'ident' | 'email', (text: string) => string>>;
  readonly invoices: string;
  readonly invoice: (number: number) => string;
  /** Names that are not the registrar's. */
  readonly elsewhere: string;
  readonly lookUp: (name: string) => string;
  readonly register: (name: string) => string;
};

const english: SearchTexts = {
  title: 'Search',
  hint: 'Type a domain or a part of its name, a person, an identification code, an e-mail address, a nameserver or the number of an invoice. You can paste a web address as it is.',
  found: (text) => `Search: ${text}`,
  nothing: 'Nothing of yours matches.',
  domains: 'Domains',
  domainColumns: ['Domain', 'Registrant', 'State', 'Expires'],
  allDomains: {
    name: (text) => `All domains with ${text} in the name`,
    registrant: (text) => `All domains of registrant ${text}`,
    nameserver: (text) => `All domains on ${text}`,
  },
  contacts: 'Contacts',
  contactColumns: ['Name', 'Code', 'Identification', 'E-mail'],
  allContacts: {
    name: (text) => `All contacts with ${text} in the name`,
    code: (text) => `All contacts with ${text} in the code`,
    ident: (text) => `All contacts with the identification ${text}`,
    email: (text) => `All contacts with the address ${text}`,
  },
  invoices: 'Invoices',
  invoice: (number) => `Invoice ${number}`,
  elsewhere: 'Not among your domains',
  lookUp: (name) => `Look up ${name}`,
  register: (name) => `Register ${name}`,
};

const estonian: SearchTexts = {
  title: 'Otsing',
  hint: 'Sisesta domeen või osa selle nimest, isik, isiku- või registrikood, e-posti aadress, nimeserver või arve number. Veebiaadressi võib kleepida sellisena, nagu see on.',
  found: (text) => `Otsing: ${text}`,
  nothing: 'Sinu andmetest ei leitud midagi.',
  domains: 'Domeenid',
  domainColumns: ['Domeen', 'Registreerija', 'Seis', 'Aegub'],
  allDomains: {
    name: (text) => `Kõik domeenid, mille nimes on ${text}`,
    registrant: (text) => `Kõik registreerija ${text} domeenid`,
    nameserver: (text) => `Kõik domeenid nimeserveris ${text}`,
  },
  contacts: 'Kontaktid',
  contactColumns: ['Nimi', 'Kood', 'Isiku- või registrikood', 'E-post'],
  allContacts: {
    name: (text) => `Kõik kontaktid, mille nimes on ${text}`,
    code: (text) => `Kõik kontaktid, mille koodis on ${text}`,
    ident: (text) => `Kõik kontaktid isiku- või registrikoodiga ${text}`,
    email: (text) => `Kõik kontaktid aadressiga ${text}`,
  },
  invoices: 'Arved',
  invoice: (number) => `Arve ${number}`,
  elsewhere: 'Ei ole sinu domeenide seas',
  lookUp: (name) => `Vaata domeeni ${name} avalikke andmeid`,
  register: (name) => `Registreeri ${name}`,
};

const TEXTS: Readonly<Record<Language, SearchTexts>> = { en: english, et: estonian };
export const searchTexts = (lang: Language): SearchTexts => TEXTS[lang];
