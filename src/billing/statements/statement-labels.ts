import type { MonthlyStatement, StatementLine } from './find-statements.ts';

/** Both languages appear on one document, as on invoices. */
const KINDS: Readonly<Record<StatementLine['kind'], string>> = {
  opening: 'Algsaldo kanne / Opening entry',
  create: 'Registreerimine / Registration',
  renew: 'Pikendamine / Renewal',
  'top-up': 'Laekumised / Top-ups',
  refund: 'Tagastused / Refunds',
  correction: 'Parandused / Corrections',
  'debt incurred': 'Puudujääk, mis jäi võlaks / Not covered, became a debt',
  'debt repayment': 'Võla tasumine / Repayment of debt',
  other: 'Muud kanded / Other entries',
};

export const labels = {
  statement: 'Konto väljavõte / Account statement',
  registrar: 'Registripidaja / Registrar',
  opening: 'Algsaldo / Opening balance',
  closing: 'Lõppsaldo / Closing balance',
  description: 'Kirjeldus / Description',
  count: 'Kogus / Count',
  sum: 'Summa / Sum',
  nothing: 'Kuu jooksul kandeid ei olnud. / Nothing was booked in this month.',
  page: 'Leht / Page',
};

export function lineText({ kind, zone, months }: StatementLine): string {
  return zone === null || months === null ? KINDS[kind] : `${KINDS[kind]} .${zone}, ${periodText(months)}`;
}

/** In the format of the price list: 3m, 6m, 9m, 1y to 10y. */
export const periodText = (months: number): string => (months % 12 === 0 ? `${months / 12}y` : `${months}m`);

/** Empty where there was no debt all month. */
export function debtRows(statement: MonthlyStatement): readonly (readonly [label: string, cents: bigint])[] {
  const { openingDebt, debtGrown, debtRepaid, closingDebt } = statement;
  if (openingDebt + debtGrown + debtRepaid + closingDebt === 0n) return [];
  return [
    ['Võlg kuu alguses / Debt at the beginning', openingDebt],
    ['Lisandunud võlg / Debt that came up', debtGrown],
    ['Tasutud võlg / Debt that was repaid', -debtRepaid],
    ['Võlg kuu lõpus / Debt at the end', closingDebt],
  ];
}
