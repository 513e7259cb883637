import { BULK_PERIODS, parseBulkPeriod } from '../../../registry/domains/rules/periods.ts';
import { previewRenewals } from '../../../registry/domains/bulk/renew-many.ts';
import { dayOfTime } from '../../html/language.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import type { ListedDomain } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

const YEARS = Array.from({ length: 10 }, (_, index) => index + 1);
const MONTHS = [3, 6, 9];
const namesOf = (listed: readonly ListedDomain[]) => listed.map(({ name }) => name);

/** Renews many domains at one price in one statement. */
export const bulkRenewal = defineBulk<'renew'>({
  kind: 'renew',
  path: '/bulk/renew',
  texts: (lang) => taskTexts(lang).renew,
  prefilled: ['period'],
  isReady: true,
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
  valuesOf: ({ months }) => ({ period: months % 12 === 0 ? `${months / 12}y` : `${months}m` }),
  preview: ({ database }, { months }, listed, context) =>
    previewRenewals(database, { names: namesOf(listed), months }, context),
  describe: ({ before, after }, { lang }, { policy }) =>
    taskTexts(lang).renew.expires(
      dayOfTime(lang, before.expireTime, policy),
      dayOfTime(lang, after.expireTime, policy),
    ),
});
