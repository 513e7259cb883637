import type { EntryKind } from '../../../ledger/entry-kinds.ts';
import type { Language } from '../../html/layout.ts';

/** What several pages about money say. */
export type MoneyTexts = {
  readonly kinds: Readonly<Record<EntryKind, string>>;
  readonly filter: string;
  readonly from: string;
  readonly to: string;
  readonly notDay: string;
  readonly pdf: string;
  readonly csv: string;
  readonly balance: string;
  readonly debt: string;
  readonly sum: string;
};

const english: MoneyTexts = {
  kinds: {
    opening: 'Opening entry',
    create: 'Registration',
    renew: 'Renewal',
    'top-up': 'Top-up',
    refund: 'Refund',
    correction: 'Correction',
    'debt incurred': 'Not covered, became a debt',
    'debt repayment': 'Repayment of debt',
    other: 'Other',
  },
  filter: 'Filter',
  from: 'From',
  to: 'Up to and including',
  notDay: 'Write the day as 2026-11-30.',
  pdf: 'Download as PDF',
  csv: 'Download as CSV',
  balance: 'Balance',
  debt: 'Debt',
  sum: 'Sum',
};

const estonian: MoneyTexts = {
  kinds: {
    opening: 'Algsaldo kanne',
    create: 'Registreerimine',
    renew: 'Pikendamine',
    'top-up': 'Laekumine',
    refund: 'Tagastus',
    correction: 'Parandus',
    'debt incurred': 'Puudujääk, mis jäi võlaks',
    'debt repayment': 'Võla tasumine',
    other: 'Muu',
  },
  filter: 'Filter',
  from: 'Alates',
  to: 'Kuni (kaasa arvatud)',
  notDay: 'Kirjuta kuupäev kujul 2026-11-30.',
  pdf: 'Laadi alla PDF-failina',
  csv: 'Laadi alla CSV-failina',
  balance: 'Saldo',
  debt: 'Võlg',
  sum: 'Summa',
};

const TEXTS: Readonly<Record<Language, MoneyTexts>> = { en: english, et: estonian };
export const moneyTexts = (lang: Language): MoneyTexts => TEXTS[lang];
