import type { DisclosedAttribute } from '../../../policy/policy.ts';
import type { ContactAction } from '../../../registry/contacts/possible-contact-changes.ts';
import type { Language } from '../../html/layout.ts';

export type ContactFieldName =
  | ('id' | 'name' | 'email' | 'phone' | 'identType' | 'ident' | 'identCountry')
  | ('street' | 'city' | 'state' | 'postalCode' | 'country');

type ContactFormTexts = {
  readonly back: string;
  readonly backToList: string;
  readonly actions: {
    readonly label: string;
    readonly forbidden: string;
    readonly more: string;
    readonly names: Readonly<Record<ContactAction | 'create' | 'register', string>>;
  };
  readonly create: { readonly title: string; readonly confirm: string; readonly codeLater: string };
  readonly change: { readonly title: (code: string) => string; readonly confirm: string };
  readonly delete: {
    readonly title: (code: string) => string;
    readonly confirm: string;
    readonly happens: string;
  };
  readonly happens: string;
  readonly fields: Readonly<Record<ContactFieldName, string>>;
  readonly hints: Readonly<Partial<Record<ContactFieldName, string>>>;
  readonly identTypes: Readonly<Record<'priv' | 'org' | 'birthday', string>>;
  readonly identification: string;
  readonly address: string;
  readonly disclosure: string;
  readonly disclosureHint: string;
  readonly attributes: Readonly<Record<DisclosedAttribute, string>>;
  readonly nothingDisclosed: string;
  readonly noCountry: string;
};

const english: ContactFormTexts = {
  back: 'Back to the contact',
  backToList: 'Back to the contacts',
  actions: {
    label: 'What you can do',
    forbidden: 'Unavailable actions',
    more: 'More',
    names: {
      create: 'Create a contact',
      register: 'Register a domain for this contact',
      change: 'Change',
      delete: 'Delete',
    },
  },
  create: { title: 'Create a contact', confirm: 'Create', codeLater: 'The registry chooses one' },
  change: { title: (code) => `Change the contact ${code}`, confirm: 'Change' },
  delete: {
    title: (code) => `Delete the contact ${code}`,
    confirm: 'Delete',
    happens: 'The contact is removed for good. Its history stays.',
  },
  happens: 'What happens',
  fields: {
    id: 'Code',
    name: 'Name',
    email: 'Email address',
    phone: 'Phone',
    identType: 'Kind',
    ident: 'Code or date of birth',
    identCountry: 'Country of the code',
    street: 'Street',
    city: 'City',
    state: 'County or state',
    postalCode: 'Postal code',
    country: 'Country',
  },
  hints: {
    id: 'Leave empty, and the registry chooses one',
    name: 'Of the person or organisation, in full',
    phone: 'With country code and dot: +372.5555555',
    ident: 'Personal code, registry code, or the date of birth as 1990-12-31',
    street: 'At most three lines',
  },
  identTypes: { priv: 'Person, by personal code', org: 'Organisation', birthday: 'Person, by date of birth' },
  identification: 'Identification',
  address: 'Postal address',
  disclosure: 'The public may see',
  disclosureHint: 'In addition to what the registry publishes of everybody.',
  attributes: { name: 'Name', email: 'Email address', phone: 'Phone', address: 'Postal address' },
  nothingDisclosed: 'Nothing beyond what is public anyway',
  noCountry: 'No address',
};

const estonian: ContactFormTexts = {
  back: 'Tagasi kontakti juurde',
  backToList: 'Tagasi kontaktide juurde',
  actions: {
    label: 'Mida saad teha',
    forbidden: 'Mida praegu teha ei saa ja miks',
    more: 'Veel',
    names: {
      create: 'Loo kontakt',
      register: 'Registreeri sellele kontaktile domeen',
      change: 'Muuda',
      delete: 'Kustuta',
    },
  },
  create: { title: 'Loo kontakt', confirm: 'Loo', codeLater: 'Koodi valib register' },
  change: { title: (code) => `Muuda kontakti ${code}`, confirm: 'Muuda' },
  delete: {
    title: (code) => `Kustuta kontakt ${code}`,
    confirm: 'Kustuta',
    happens: 'Kontakt eemaldatakse jäädavalt. Selle ajalugu säilib.',
  },
  happens: 'Mis juhtub',
  fields: {
    id: 'Kood',
    name: 'Nimi',
    email: 'E-posti aadress',
    phone: 'Telefon',
    identType: 'Liik',
    ident: 'Kood või sünniaeg',
    identCountry: 'Koodi andnud riik',
    street: 'Tänav',
    city: 'Linn',
    state: 'Maakond või osariik',
    postalCode: 'Sihtnumber',
    country: 'Riik',
  },
  hints: {
    id: 'Kui jätad tühjaks, valib koodi register',
    name: 'Isiku või organisatsiooni täisnimi',
    phone: 'Riigi suunanumbri ja punktiga: +372.5555555',
    ident: 'Isikukood, registrikood või sünniaeg kujul 1990-12-31',
    street: 'Kuni kolm rida',
  },
  identTypes: { priv: 'Eraisik isikukoodiga', org: 'Organisatsioon', birthday: 'Eraisik sünniajaga' },
  identification: 'Isiku- või registrikood',
  address: 'Postiaadress',
  disclosure: 'Avalikkus võib näha',
  disclosureHint: 'Lisaks sellele, mida register kõigi kohta avaldab.',
  attributes: { name: 'Nimi', email: 'E-posti aadress', phone: 'Telefon', address: 'Postiaadress' },
  nothingDisclosed: 'Mitte midagi peale niigi avaliku',
  noCountry: 'Aadressi ei ole',
};

const TEXTS: Readonly<Record<Language, ContactFormTexts>> = { en: english, et: estonian };
export const contactFormTexts = (lang: Language): ContactFormTexts => TEXTS[lang];
