import { type Catalogue, defineRefusals } from '../../operations/refusal.ts';

/** What the billing API says of the form of a field; the text continues the name of the field. */
export const catalogue = {
  invalidField: {
    code: 2005,
    kind: 'syntax',
    text: '{problem}',
    when: 'a field of the billing API has the wrong type or form',
  },
} as const satisfies Catalogue;

const maker = defineRefusals(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
