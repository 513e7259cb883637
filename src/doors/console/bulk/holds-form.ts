import { previewHolds } from '../../../registry/domains/bulk/hold-many.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { taskTexts } from './task-texts.ts';

const CHANGES = ['hold', 'release'] as const;

/** Takes many domains out of the zone, or lets them in again. */
export const bulkHold = defineBulk<'hold'>({
  kind: 'hold',
  path: '/bulk/hold',
  texts: (lang) => taskTexts(lang).hold,
  prefilled: ['change'],
  fields: (values, { lang }) => {
    const { change, changes } = taskTexts(lang).hold;
    return [
      {
        name: 'change',
        label: change,
        value: values('change', 'hold'),
        choices: CHANGES.map((each) => [each, changes[each]] as const),
      },
    ];
  },
  read: (form) => {
    const change = CHANGES.find((known) => known === form.field('change'));
    return change
      ? { value: { isHeld: change === 'hold' } }
      : { refusals: [refusal('wrongSyntax', { field: 'change', expected: CHANGES.join(', ') })] };
  },
  reverse: ({ isHeld }) => ({ isHeld: !isHeld }),
  valuesOf: ({ isHeld }) => ({ change: isHeld ? 'hold' : 'release' }),
  preview: ({ database }, hold, listed, context) =>
    previewHolds(
      database,
      listed.map(({ name }) => name),
      hold,
      context,
    ),
  describe: ({ before, after }, { lang }) => {
    const { same, held, released } = taskTexts(lang).hold;
    if (before === after) return same;
    return 'clientHold' in after.statuses ? held : released;
  },
});
