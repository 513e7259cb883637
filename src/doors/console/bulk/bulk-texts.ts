import type { Language } from '../../html/layout.ts';

/** What all bulk changes say. */
export type BulkTexts = {
  readonly title: string;
  readonly lead: string;
  readonly names: string;
  readonly namesHint: string;
  readonly transfersHint: string;
  readonly orAll: string;
  readonly file: string;
  readonly fileHint: string;
  readonly fileTooLarge: string;
  readonly firstOfMore: string;
  readonly notName: string;
  readonly twoCodes: string;
  readonly preview: string;
  readonly possible: (count: number) => string;
  readonly nonePossible: string;
  readonly leftOut: (count: number) => string;
  readonly columns: Readonly<Record<'domain' | 'what' | 'price' | 'reason', string>>;
  readonly noneChosen: string;
  readonly changed: string;
  readonly review: string;
  readonly reviewLead: string;
  readonly total: string;
  readonly domains: string;
  readonly back: string;
  readonly edit: string;
  readonly result: string;
  readonly done: (count: number) => string;
  readonly notChosen: string;
  readonly download: string;
  /** On the list of domains. */
  readonly selection: Readonly<
    Record<'label' | 'renew' | 'nameservers' | 'tech' | 'page' | 'clear', string>
  > & {
    readonly one: (name: string) => string;
    readonly count: (count: string) => string;
    readonly all: (count: string | undefined) => string;
  };
};

const englishCount = (one: string, many: string) => (count: number) =>
  count === 1 ? one : `${new Intl.NumberFormat('en-GB').format(count)} ${many}`;
const estonianCount = (one: string, many: string) => (count: number) =>
  count === 1 ? one : `${new Intl.NumberFormat('et').format(count)} ${many}`;

const english: BulkTexts = {
  title: 'Bulk changes',
  lead: 'Change up to 1,000 domains at once. You see what would happen to each of them before anything does.',
  names: 'Domains',
  namesHint: 'One name per line, or the lines of a CSV file with the name in the first column.',
  transfersHint:
    'One domain per line: its name, a comma and its transfer code, as in a CSV file with these two columns.',
  orAll: 'Leave empty to change every domain that has what is to be replaced or removed.',
  file: 'Or choose a CSV file',
  fileHint: 'Its content is put into the field above.',
  fileTooLarge: 'The file is too large.',
  firstOfMore:
    'There are more than 1,000. These are the first of them; repeat the change for the others afterwards.',
  notName: 'This cannot be the name of a domain.',
  twoCodes: 'The domain is named twice, with different transfer codes.',
  preview: 'This is a preview. Nothing has been changed yet. Uncheck what you want to leave out.',
  possible: englishCount('1 domain can be changed', 'domains can be changed'),
  nonePossible: 'None of the domains can be changed.',
  leftOut: englishCount('1 domain is left out', 'domains are left out'),
  columns: { domain: 'Domain', what: 'What happens', price: 'Price', reason: 'Why' },
  noneChosen: 'Choose at least one domain.',
  changed: 'Something has changed since you saw the preview. Nothing was done; this is how it is now.',
  review: 'Go on with the checked ones',
  reviewLead: 'Nothing has been changed yet. All of these domains are changed together, or none.',
  total: 'Total price',
  domains: 'Domains',
  back: 'Back to all bulk changes',
  edit: 'Change the list',
  result: 'Result',
  done: englishCount('1 domain is done', 'domains are done'),
  notChosen: 'Not selected',
  download: 'Download the result as CSV',
  selection: {
    label: 'With the selected domains',
    renew: 'Renew',
    nameservers: 'Change nameservers',
    tech: 'Replace technical contact',
    page: 'Select all on this page',
    clear: 'Clear selection',
    one: (name) => `Select ${name}`,
    count: (count) => `${count} selected`,
    all: (count) => (count === undefined ? 'Select the whole list' : `Select all ${count}`),
  },
};

const estonian: BulkTexts = {
  title: 'Hulgitoimingud',
  lead: 'Üks muudatus paljudele domeenidele, korraga kõige rohkem 1000. Enne muutmist näed, mis iga domeeniga juhtuks.',
  names: 'Domeenid',
  namesHint: 'Igal real üks nimi või CSV-faili read, mille esimeses veerus on nimi.',
  transfersHint: 'Igal real üks domeen: nimi, koma ja ülekandekood nagu kahe veeruga CSV-failis.',
  orAll: 'Jäta tühjaks, kui muuta tuleb kõiki sinu domeene, millel on asendatav või eemaldatav.',
  file: 'Või vali CSV-fail',
  fileHint: 'Faili sisu pannakse ülal olevasse välja.',
  fileTooLarge: 'Fail on liiga suur.',
  firstOfMore: 'Neid on üle 1000. Siin on esimesed; ülejäänute jaoks korda muudatust pärast uuesti.',
  notName: 'See ei saa olla domeeninimi.',
  twoCodes: 'Domeen on loendis kaks korda erinevate ülekandekoodidega.',
  preview: 'See on eelvaade. Midagi ei ole veel muudetud. Eemalda märge neilt, mida sa muuta ei taha.',
  possible: estonianCount('Muuta saab 1 domeeni', 'domeeni saab muuta'),
  nonePossible: 'Ühtegi neist domeenidest ei saa muuta.',
  leftOut: (count) => `Välja jäetud domeene: ${new Intl.NumberFormat('et').format(count)}`,
  columns: { domain: 'Domeen', what: 'Mis juhtub', price: 'Hind', reason: 'Miks' },
  noneChosen: 'Vali vähemalt üks domeen.',
  changed: 'Pärast eelvaadet on midagi muutunud. Midagi ei tehtud; nüüd on seis selline.',
  review: 'Jätka märgitud domeenidega',
  reviewLead: 'Midagi ei ole veel muudetud. Muudetakse kõik need domeenid korraga või mitte ühtegi.',
  total: 'Hind kokku',
  domains: 'Domeene',
  back: 'Tagasi hulgitoimingute juurde',
  edit: 'Muuda loendit',
  result: 'Tulemus',
  done: estonianCount('1 domeen on muudetud', 'domeeni on muudetud'),
  notChosen: 'Sa ei valinud seda.',
  download: 'Laadi tulemus alla CSV-failina',
  selection: {
    label: 'Valitud domeenidega',
    renew: 'Pikenda',
    nameservers: 'Muuda nimeservereid',
    tech: 'Asenda tehniline kontakt',
    page: 'Vali kõik sellel lehel',
    clear: 'Tühista valik',
    one: (name) => `Vali ${name}`,
    count: (count) => `Valitud ${count}`,
    all: (count) => (count === undefined ? 'Vali kogu loend' : `Vali kõik ${count}`),
  },
};

const TEXTS: Readonly<Record<Language, BulkTexts>> = { en: english, et: estonian };
export const bulkTexts = (lang: Language): BulkTexts => TEXTS[lang];
