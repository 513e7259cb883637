import type { Language } from '../../html/layout.ts';
import type { LineContent } from './list-columns.ts';

type SelectionText =
  | ('label' | 'page' | 'clear')
  | ('renew' | 'nameservers' | 'contacts' | 'keys' | 'registrant' | 'hold');

/** What all bulk changes say. */
export type BulkTexts = {
  readonly title: string;
  readonly lead: string;
  readonly names: string;
  readonly listHints: Readonly<Record<LineContent | 'name', string>>;
  readonly orAll: string;
  readonly file: string;
  readonly fileHint: string;
  readonly fileTooLarge: string;
  readonly firstOfMore: string;
  readonly preview: string;
  /** Of a table that was pasted. */
  readonly columnsRead: {
    /** A column is its number, with its heading. */
    readonly read: (name: string, content: string | false | undefined) => string;
    readonly names: string;
    readonly none: string;
    readonly again: string;
  } & Readonly<Record<LineContent, { readonly label: string; readonly from: (column: string) => string }>>;
  /** Lines that are not written as they should be. */
  readonly mend: {
    readonly hint: string;
    readonly notName: (line: number, written: string) => string;
    readonly wrong: (line: number, reason: string) => string;
    readonly further: (count: number) => string;
    readonly again: string;
  };
  readonly count: (count: number) => string;
  readonly possible: (count: number) => string;
  readonly nonePossible: string;
  readonly leftOut: (count: number) => string;
  readonly leftOutFact: string;
  readonly further: (count: number) => string;
  readonly columns: Readonly<Record<'domain' | 'what' | 'price' | 'reason' | 'skip', string>>;
  readonly skip: (name: string) => string;
  readonly noneChosen: string;
  readonly changed: string;
  readonly upgrading: string;
  readonly total: string;
  readonly domains: string;
  readonly back: string;
  readonly edit: string;
  readonly yes: string;
  /** On the list of domains. */
  readonly selection: Readonly<Record<SelectionText, string>> & {
    readonly one: (name: string) => string;
    readonly count: (count: string) => string;
    readonly all: (count: string | undefined) => string;
  };
};

const englishCount = (one: string, many: string) => (count: number) =>
  count === 1 ? one : `${new Intl.NumberFormat('en-GB').format(count)} ${many}`.trim();
const estonianCount = (one: string, many: string) => (count: number) =>
  count === 1 ? one : `${new Intl.NumberFormat('et').format(count)} ${many}`.trim();

const english: BulkTexts = {
  title: 'Bulk changes',
  lead: 'Change up to 10,000 domains at once. You see what would happen before anything does, and the change goes on even if you close the page.',
  names: 'Domains',
  listHints: {
    name: 'One name per line, or a CSV file. The preview shows which column was read.',
    code: 'One domain per line: its name, a comma and its transfer code; or a CSV file. The preview shows which columns were read.',
    period:
      'One name per line, or a CSV file. A period beside the name counts for that domain: example.ee,2y. The preview shows which columns were read.',
  },
  orAll: 'Leave empty to change every domain of yours that has what you replace or remove.',
  file: 'Or choose a CSV file',
  fileHint: 'Its content is put into the field above.',
  fileTooLarge: 'The file is too large.',
  firstOfMore:
    'There are more than 10,000. These are the first of them; repeat the change for the others afterwards.',
  preview: 'Nothing has been changed yet.',
  columnsRead: {
    read: (name, content) => `Read: column ${name}${content ? `; ${content}` : ''}.`,
    names: 'Column of the domains',
    code: { label: 'Column of the codes', from: (column) => `code from column ${column}` },
    period: { label: 'Column of the periods', from: (column) => `period from column ${column}` },
    none: 'none',
    again: 'Check again',
  },
  mend: {
    hint: 'Correct these lines, or empty them to leave them out.',
    notName: (line, written) => `Line ${line}: “${written}” is not a domain name.`,
    wrong: (line, reason) => `Line ${line}: ${reason}`,
    further: englishCount(
      '1 more line can be corrected afterwards.',
      'more lines can be corrected afterwards.',
    ),
    again: 'Check again',
  },
  count: englishCount('1', ''),
  possible: englishCount('1 domain will be changed', 'domains will be changed'),
  nonePossible: 'None of the domains can be changed.',
  leftOut: englishCount('1 domain cannot be changed', 'domains cannot be changed'),
  leftOutFact: 'Cannot be changed',
  further: englishCount('1 more.', 'more.'),
  columns: {
    domain: 'Domain',
    what: 'What happens',
    price: 'Price',
    reason: 'Why',
    skip: 'Leave out',
  },
  skip: (name) => `Leave out ${name}`,
  noneChosen: 'None of the domains would be changed.',
  upgrading: 'The registry is being upgraded. Nothing was changed; try again in a few minutes.',
  changed: 'Prices have changed since you saw the preview. Nothing was done; this is how it is now.',
  total: 'Total price',
  domains: 'Domains',
  back: 'Back to all bulk changes',
  edit: 'Edit',
  yes: 'yes',
  selection: {
    label: 'With the selected domains',
    renew: 'Renew',
    nameservers: 'Nameservers',
    contacts: 'Contacts',
    keys: 'DNSSEC keys',
    registrant: 'Registrant',
    hold: 'Put on hold',
    page: 'Select all on this page',
    clear: 'Clear selection',
    one: (name) => `Select ${name}`,
    count: (count) => `${count} selected`,
    all: (count) => (count === undefined ? 'Select the whole list' : `Select all ${count}`),
  },
};

const estonian: BulkTexts = {
  title: 'Hulgitoimingud',
  lead: 'Muuda korraga kuni 10 000 domeeni. Enne muutmist näed, mis juhtuks, ja muudatus jätkub ka siis, kui lehe sulged.',
  names: 'Domeenid',
  listHints: {
    name: 'Igal real üks nimi või CSV-fail. Eelvaade näitab, milline veerg loeti.',
    code: 'Igal real üks domeen: nimi, koma ja ülekandekood; või CSV-fail. Eelvaade näitab, millised veerud loeti.',
    period:
      'Igal real üks nimi või CSV-fail. Nime kõrval võib olla selle domeeni periood: example.ee,2y. Eelvaade näitab, millised veerud loeti.',
  },
  orAll: 'Jäta tühjaks, et muuta kõiki sinu domeene, millel on see, mida asendad või eemaldad.',
  file: 'Või vali CSV-fail',
  fileHint: 'Faili sisu pannakse ülal olevasse välja.',
  fileTooLarge: 'Fail on liiga suur.',
  firstOfMore: 'Neid on üle 10 000. Siin on esimesed; ülejäänute jaoks korda muudatust pärast uuesti.',
  preview: 'Midagi ei ole veel muudetud.',
  columnsRead: {
    read: (name, content) => `Loetud: veerg ${name}${content ? `; ${content}` : ''}.`,
    names: 'Domeenide veerg',
    code: { label: 'Koodide veerg', from: (column) => `kood veerust ${column}` },
    period: { label: 'Perioodide veerg', from: (column) => `periood veerust ${column}` },
    none: 'puudub',
    again: 'Kontrolli uuesti',
  },
  mend: {
    hint: 'Paranda need read või tühjenda need, mis jäävad välja.',
    notName: (line, written) => `Rida ${line}: „${written}“ ei ole domeeninimi.`,
    wrong: (line, reason) => `Rida ${line}: ${reason}`,
    further: estonianCount('Veel 1 rida saab parandada pärast.', 'rida saab veel parandada pärast.'),
    again: 'Kontrolli uuesti',
  },
  count: estonianCount('1', ''),
  possible: estonianCount('Muudetakse 1 domeeni', 'domeeni muudetakse'),
  nonePossible: 'Ühtegi neist domeenidest ei saa muuta.',
  leftOut: estonianCount('1 domeeni ei saa muuta', 'domeeni ei saa muuta'),
  leftOutFact: 'Muuta ei saa',
  further: estonianCount('1 veel.', 'veel.'),
  columns: {
    domain: 'Domeen',
    what: 'Mis juhtub',
    price: 'Hind',
    reason: 'Miks',
    skip: 'Jäta välja',
  },
  skip: (name) => `Jäta välja ${name}`,
  noneChosen: 'Ühtegi neist domeenidest ei muudetaks.',
  upgrading: 'Registrit uuendatakse. Midagi ei muudetud; proovi mõne minuti pärast uuesti.',
  changed: 'Hinnad on pärast eelvaadet muutunud. Midagi ei tehtud; nüüd on seis selline.',
  total: 'Hind kokku',
  domains: 'Domeene',
  back: 'Tagasi hulgitoimingute juurde',
  edit: 'Muuda andmeid',
  yes: 'jah',
  selection: {
    label: 'Valitud domeenidega',
    renew: 'Pikenda',
    nameservers: 'Nimeserverid',
    contacts: 'Kontaktid',
    keys: 'DNSSEC-võtmed',
    registrant: 'Registreerija',
    hold: 'Peata',
    page: 'Vali kõik sellel lehel',
    clear: 'Tühista valik',
    one: (name) => `Vali ${name}`,
    count: (count) => `Valitud ${count}`,
    all: (count) => (count === undefined ? 'Vali kogu loend' : `Vali kõik ${count}`),
  },
};

const TEXTS: Readonly<Record<Language, BulkTexts>> = { en: english, et: estonian };
export const bulkTexts = (lang: Language): BulkTexts => TEXTS[lang];
