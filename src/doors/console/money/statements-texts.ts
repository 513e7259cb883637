import type { Language } from '../../html/layout.ts';

export type StatementsTexts = {
  readonly title: string;
  readonly lead: string;
  readonly columns: readonly [
    month: string,
    opening: string,
    change: string,
    closing: string,
    debt: string,
    files: string,
  ];
  readonly none: string;
  readonly pdfOf: (month: string) => string;
  readonly csvOf: (month: string) => string;
  readonly one: (month: string) => string;
  readonly everyEntry: string;
  readonly summary: string;
  readonly lines: string;
  readonly lineColumns: readonly [kind: string, zone: string, period: string, count: string, sum: string];
  readonly nothing: string;
  readonly labels: Readonly<
    Record<'opening' | 'closing' | 'openingDebt' | 'debtGrown' | 'debtRepaid' | 'closingDebt', string>
  >;
  readonly back: string;
};

const english: StatementsTexts = {
  title: 'Statements',
  lead: 'One for each month that is over.',
  columns: ['Month', 'Opening balance', 'Change', 'Closing balance', 'Debt', 'Files'],
  none: 'There are no statements yet. The first one comes when the first month is over.',
  pdfOf: (month) => `Statement for ${month} as PDF`,
  csvOf: (month) => `Statement for ${month} as CSV`,
  one: (month) => `Statement for ${month}`,
  everyEntry: 'Every charge and credit as CSV',
  summary: 'Summary as CSV',
  lines: 'Transactions',
  lineColumns: ['Kind', 'Zone', 'Period', 'Count', 'Sum'],
  nothing: 'There were no transactions in this month.',
  labels: {
    opening: 'Opening balance',
    closing: 'Closing balance',
    openingDebt: 'Debt at the beginning',
    debtGrown: 'New debt',
    debtRepaid: 'Debt repaid',
    closingDebt: 'Debt at the end',
  },
  back: 'All statements',
};

const estonian: StatementsTexts = {
  title: 'Väljavõtted',
  lead: 'Iga lõppenud kuu kohta üks.',
  columns: ['Kuu', 'Algsaldo', 'Muutus', 'Lõppsaldo', 'Võlg', 'Failid'],
  none: 'Väljavõtteid veel ei ole. Esimene koostatakse, kui esimene kuu on lõppenud.',
  pdfOf: (month) => `Väljavõte PDF-failina: ${month}`,
  csvOf: (month) => `Väljavõte CSV-failina: ${month}`,
  one: (month) => `Konto väljavõte: ${month}`,
  everyEntry: 'Kõik kanded CSV-failina',
  summary: 'Kokkuvõte CSV-failina',
  lines: 'Kanded',
  lineColumns: ['Liik', 'Tsoon', 'Periood', 'Kogus', 'Summa'],
  nothing: 'Sel kuul kandeid ei olnud.',
  labels: {
    opening: 'Algsaldo',
    closing: 'Lõppsaldo',
    openingDebt: 'Võlg kuu alguses',
    debtGrown: 'Lisandunud võlg',
    debtRepaid: 'Tasutud võlg',
    closingDebt: 'Võlg kuu lõpus',
  },
  back: 'Kõik väljavõtted',
};

const TEXTS: Readonly<Record<Language, StatementsTexts>> = { en: english, et: estonian };
export const statementsTexts = (lang: Language): StatementsTexts => TEXTS[lang];
