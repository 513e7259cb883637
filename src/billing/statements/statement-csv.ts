import { toDecimal } from '../../platform/values/money.ts';
import type { MonthlyStatement } from './find-statements.ts';
import { periodText } from './statement-labels.ts';

/** One line per kind, zone and period between the two balances. No field can contain a comma or a quote. */
export function statementCsv(statement: MonthlyStatement): string {
  const { registrar, month, currency, opening, closing, lines } = statement;
  const debt = [
    ['opening debt', statement.openingDebt],
    ['debt grown', statement.debtGrown],
    ['debt repaid', -statement.debtRepaid],
    ['closing debt', statement.closingDebt],
  ] as const;
  const rows = [
    ['opening balance', '', '', '', toDecimal(opening)],
    ...lines.map(({ kind, zone, months, count, sum }) => [
      kind,
      zone ?? '',
      months === null ? '' : periodText(months),
      String(count),
      toDecimal(sum),
    ]),
    ['closing balance', '', '', '', toDecimal(closing)],
    ...debt.map(([name, cents]) => [name, '', '', '', toDecimal(cents)]),
  ];
  return [
    'registrar,month,entry,zone,period,count,sum,currency',
    ...rows.map((row) => [registrar, month, ...row, currency].join(',')),
    '',
  ].join('\r\n');
}
