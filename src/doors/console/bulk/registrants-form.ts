import { previewRegistrants } from '../../../registry/domains/bulk/change-registrants.ts';
import { CHECKED } from '../../html/form.ts';
import { changeTexts } from '../domains/change-form-texts.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { taskTexts } from './task-texts.ts';

/** One registrant for many domains; the present ones are asked where the rules demand it. */
export const bulkRegistrant = defineBulk<'registrant'>({
  kind: 'registrant',
  path: '/bulk/registrant',
  needsRecentLogin: true,
  texts: (lang) => taskTexts(lang).registrant,
  prefilled: ['registrant'],
  fields: (values, { lang }) => {
    const { registrant } = changeTexts(lang);
    const texts = taskTexts(lang).registrant;
    return [
      {
        name: 'registrant',
        label: texts.next,
        hint: texts.hint,
        value: values('registrant'),
        maxLength: 255,
      },
      {
        name: 'verified',
        type: 'checkbox',
        label: texts.verified,
        hint: registrant.verifiedHint,
        value: values('verified'),
      },
    ];
  },
  read: (form) => {
    const code = form.field('registrant').trim();
    return code === ''
      ? { refusals: [refusal('fieldMissing', { field: 'registrant' })] }
      : { value: { code, verified: form.field('verified') === CHECKED } };
  },
  valuesOf: ({ code, verified }) => ({ registrant: code, verified: verified ? CHECKED : '' }),
  preview: ({ database }, change, listed, context) =>
    previewRegistrants(
      database,
      listed.map(({ name }) => name),
      change,
      context,
    ),
  describe: ({ before, after }, { lang }, { policy }) => {
    const { same, asked, atOnce } = taskTexts(lang).registrant;
    if (before === after) return same;
    return 'pendingUpdate' in after.statuses ? asked(policy.domains.confirmationHours) : atOnce;
  },
});
