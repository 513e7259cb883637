import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about balances. */
export const balanceRefusals = {
  correctionUnexplained: {
    code: 2003,
    kind: 'syntax',
    text: '{field} must not be empty: it is shown in the transaction',
    when: 'a balance is corrected without a reason',
  },
  correctionZero: {
    code: 2004,
    kind: 'syntax',
    text: 'The amount is not zero, such as 18.00 or -18.00: {rule}',
    when: 'a balance is corrected by nothing',
  },
  correctionImpossible: {
    code: 2104,
    kind: 'rule',
    text: 'There is no registrar {registrar}, or the balance does not cover it',
    when: 'a balance is corrected by more than there is, or that of a registrar that does not exist',
  },
} as const satisfies Catalogue;
