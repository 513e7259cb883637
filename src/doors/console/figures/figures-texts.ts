import type { Figure } from '../../../registry/figures/domain-events.ts';
import type { Language } from '../../html/layout.ts';

export type FiguresTexts = {
  readonly title: string;
  readonly lead: string;
  readonly headings: Readonly<Record<Figure, string>>;
  readonly balance: (currency: string) => string;
  readonly numbers: string;
  readonly month: string;
  readonly meaning: string;
  readonly range: (least: string, greatest: string, last: string, month: string) => string;
  readonly nothing: string;
  readonly number: (value: number) => string;
  /** On an axis, where there is little room. */
  readonly tick: (value: number) => string;
};

/** Made at first use: the first formatter of a process takes 24 ms and 7 MB, which a start does not need. */
const numbers = (locale: string): Pick<FiguresTexts, 'number' | 'tick'> => {
  let whole: Intl.NumberFormat | undefined;
  let compact: Intl.NumberFormat | undefined;
  return {
    number: (value) => {
      whole ??= new Intl.NumberFormat(locale);
      return whole.format(value);
    },
    tick: (value) => {
      compact ??= new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
      return compact.format(value);
    },
  };
};

const english: FiguresTexts = {
  title: 'Reports',
  lead: 'Your domains in the last 24 months. This month is not over yet.',
  headings: {
    registered: 'Registrations',
    renewed: 'Renewals',
    transferredIn: 'Transfers to you',
    transferredOut: 'Transfers away',
    deleted: 'Deletions',
  },
  balance: (currency) => `Balance at the end of the month, ${currency}`,
  numbers: 'Data',
  month: 'Month',
  meaning: 'A deletion counts on the day on which the name became free.',
  range: (least, greatest, last, month) => `Between ${least} and ${greatest}; ${last} in ${month}.`,
  nothing: 'There is nothing yet.',
  ...numbers('en-GB'),
};

const estonian: FiguresTexts = {
  title: 'Aruanded',
  lead: 'Sinu domeenid viimase 24 kuu jooksul. Käesolev kuu ei ole veel lõppenud.',
  headings: {
    registered: 'Registreeritud',
    renewed: 'Pikendatud',
    transferredIn: 'Üle kantud sinu juurde',
    transferredOut: 'Üle kantud mujale',
    deleted: 'Kustutatud',
  },
  balance: (currency) => `Saldo kuu lõpus, ${currency}`,
  numbers: 'Andmed',
  month: 'Kuu',
  meaning: 'Kustutamine arvestatakse päeval, mil nimi vabanes.',
  range: (least, greatest, last, month) => `Vahemikus ${least} kuni ${greatest}; ${month}: ${last}.`,
  nothing: 'Veel ei ole midagi.',
  ...numbers('et'),
};

const TEXTS: Readonly<Record<Language, FiguresTexts>> = { en: english, et: estonian };
export const figuresTexts = (lang: Language): FiguresTexts => TEXTS[lang];
