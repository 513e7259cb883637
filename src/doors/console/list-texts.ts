import type { BoundedCount } from '../../platform/paging/keyset-search.ts';
import { MAX_COUNTED } from '../../platform/paging/keyset-search.ts';
import type { FilterTexts } from '../html/filter-form.ts';
import type { Language } from '../html/layout.ts';

/** What all lists of the console say. */
export type ListTexts = FilterTexts & {
  readonly download: string;
  readonly pages: string;
  readonly toStart: string;
  readonly next: string;
  /** Instead of `next`, where the search stopped before the page was full. */
  readonly goOn: string;
  readonly cut: string;
  readonly wrong: string;
  readonly count: (total: BoundedCount) => string;
  /** A number that stops one above MAX_COUNTED. */
  readonly bounded: (count: number) => string;
};

const numberIn = (locale: string, number: number) => new Intl.NumberFormat(locale).format(number);

const english: ListTexts = {
  search: 'Apply',
  addFilter: 'Add filter',
  active: 'Active filters',
  removeFilter: 'Remove filter',
  clear: 'Clear all',
  rule: 'Finds the text anywhere, in capitals or not. * stands for any text; "in quotes" is the whole value.',
  download: 'Export CSV',
  pages: 'Pages of the list',
  toStart: 'Back to the start',
  next: 'Next page',
  goOn: 'Search further',
  cut: 'The search has not reached the end of the list yet.',
  wrong: 'The list could not be filtered',
  count: ({ count, isCut }) =>
    count > MAX_COUNTED
      ? `More than ${numberIn('en-GB', MAX_COUNTED)}`
      : isCut
        ? `At least ${numberIn('en-GB', count)}`
        : `${numberIn('en-GB', count)} found`,
  bounded: (count) =>
    count > MAX_COUNTED ? `more than ${numberIn('en-GB', MAX_COUNTED)}` : numberIn('en-GB', count),
};

const estonian: ListTexts = {
  search: 'Rakenda',
  addFilter: 'Lisa filter',
  active: 'Kehtivad filtrid',
  removeFilter: 'Eemalda filter',
  clear: 'Eemalda kõik',
  rule: 'Leiab teksti mis tahes kohast, suur- ja väiketähti eristamata. * on mis tahes tekst, "jutumärkides" on terve väärtus.',
  download: 'Ekspordi CSV',
  pages: 'Loendi leheküljed',
  toStart: 'Tagasi algusesse',
  next: 'Järgmine lehekülg',
  goOn: 'Otsi edasi',
  cut: 'Otsing ei ole veel loendi lõppu jõudnud.',
  wrong: 'Loendit ei õnnestunud filtreerida',
  count: ({ count, isCut }) =>
    count > MAX_COUNTED
      ? `Üle ${numberIn('et', MAX_COUNTED)}`
      : isCut
        ? `Vähemalt ${numberIn('et', count)}`
        : `Leitud ${numberIn('et', count)}`,
  bounded: (count) => (count > MAX_COUNTED ? `üle ${numberIn('et', MAX_COUNTED)}` : numberIn('et', count)),
};

const TEXTS: Readonly<Record<Language, ListTexts>> = { en: english, et: estonian };
export const listTexts = (lang: Language): ListTexts => TEXTS[lang];
