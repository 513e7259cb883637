import { type Catalogue, defineRefusals } from '../operations/refusal.ts';

/**
 * Why the registry's staff cannot do something with payments and messages, besides what billing-refusals.ts has: whole
 * sentences without their full stop.
 */
export const catalogue = {
  // Payments.
  paymentReferenceInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'A reference has 1 to 128 letters, digits, _ and -',
    when: 'the provider is to be polled about what cannot be a payment',
  },
  // Exports.
  exportedAlready: {
    code: 2304,
    kind: 'rule',
    text: 'Invoice {number} is at {target} already',
    when: 'an operator records an export that is recorded',
  },
  // Bank statements.
  statementUnreadable: {
    code: 2005,
    kind: 'syntax',
    text: '{complaint}',
    when: 'a file that is to be imported is no statement of our accounts',
  },
  // Messages to services.
  undeliveredMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no undelivered message with the id {ids}',
    when: 'none of the messages that are to be tried again is undelivered',
  },
} as const satisfies Catalogue;

/** Places of the commands of operators that refusals of exports name. */
export type OperatorBillingPath =
  | readonly ['invoice' | 'invoices']
  | readonly ['buyer', 'name' | 'registryCode'];

const maker = defineRefusals<typeof catalogue>(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
