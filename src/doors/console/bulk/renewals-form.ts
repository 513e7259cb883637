import { BULK_PERIODS, parseBulkPeriod, periodOf } from '../../../registry/domains/rules/periods.ts';
import { previewRenewalsFor } from '../../../registry/domains/bulk/renew-many.ts';
import { dayOfTime } from '../../html/language.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { taskTexts } from './task-texts.ts';

const YEARS = Array.from({ length: 10 }, (_, index) => index + 1);
const MONTHS = [3, 6, 9];

/** Renews many domains for one period, or for that of their line. */
export const bulkRenewal = defineBulk<'renew'>({
  kind: 'renew',
  path: '/bulk/renew',
  texts: (lang) => taskTexts(lang).renew,
  prefilled: ['period'],
  isReady: true,
  lineHas: 'period',
  fields: (values, { lang }) => {
    const { renew } = taskTexts(lang);
    return [
      {
        name: 'period',
        label: renew.period,
        value: values('period', '1y'),
        choices: [
          ...YEARS.map((count) => [`${count}y`, renew.years(count)] as const),
          ...MONTHS.map((count) => [`${count}m`, renew.months(count)] as const),
        ],
      },
    ];
  },
  read: (form) => {
    const months = parseBulkPeriod(form.field('period'));
    return months === undefined
      ? { refusals: [refusal('wrongSyntax', { field: 'period', expected: BULK_PERIODS })] }
      : { value: { months } };
  },
  valuesOf: ({ months }) => ({ period: periodOf(months) }),
  preview: ({ database }, { months }, listed, context) =>
    previewRenewalsFor(
      database,
      listed.map(({ name, code }) => ({ name, months: parseBulkPeriod(code) ?? months })),
      context,
    ),
  describe: ({ before, after }, { lang }, { policy }) =>
    taskTexts(lang).renew.expires(
      dayOfTime(lang, before.expireTime, policy),
      dayOfTime(lang, after.expireTime, policy),
    ),
});
