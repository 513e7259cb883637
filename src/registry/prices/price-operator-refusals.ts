import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about prices. */
export const priceRefusals = {
  priceNotPositive: {
    code: 2004,
    kind: 'syntax',
    text: 'The amount is above zero, such as 9.00: {rule}',
    when: 'something is to cost nothing, or less',
  },
  priceMissing: {
    code: 2303,
    kind: 'missing',
    text: 'No price for {operation} {period} in {zone} is running on {day}',
    when: 'a price that is to end is not in force on the day',
  },
} as const satisfies Catalogue;
