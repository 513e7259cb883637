import { catalogue as billing } from '../../billing/billing-refusals.ts';
import { catalogue as common } from '../../operations/common-refusals.ts';
import { defineNamedRefusals } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';
import { catalogue as http } from '../http/request-refusals.ts';

/** Refusals of the billing API only; the text of an invalid field continues its name. */
export const catalogue = {
  invalidField: {
    code: 2005,
    kind: 'syntax',
    text: '{problem}',
    when: 'a field of the billing API has the wrong type or form',
  },
  accessDenied: {
    code: 2202,
    kind: 'unauthenticated',
    text: 'Access denied',
    when: 'the token is missing, expired, or not signed with the key of the initiator that it names',
  },
  callbackUnreadable: {
    code: 2005,
    kind: 'syntax',
    text: '{field} cannot be read',
    when: 'a parameter of the callback comes twice, as an array, or in another form',
  },
  tooManyCallbacks: {
    code: 2502,
    kind: 'limited',
    text: 'Too many callbacks',
    when: 'the callbacks per minute of an address are used up',
  },
} as const satisfies Catalogue;

/** Every refusal that this API can answer. */
export const everyRefusal = { ...common, ...http, ...billing, ...catalogue } as const;
export type RefusalName = keyof typeof everyRefusal;

const maker = defineNamedRefusals(everyRefusal);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
