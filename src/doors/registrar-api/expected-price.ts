import type { Parsed } from '../../operations/refusal.ts';
import { type Cents, parseAmount } from '../../platform/values/money.ts';
import { Type } from '../http/schema-builder.ts';
import { Text } from './schemas.ts';

/** The member by which a client agrees to a price. */
export const expectedPrice = (description = 'the price that you expect; another one is refused') =>
  Type.Optional(Text(description, { format: 'amount', 'x-expected': 'an amount such as 9.00' }));

export type Agreeing<Input> = { readonly order: Input; readonly agreedPrice: Cents | undefined };

/** An order with the price that its client expects; the schema has checked its form. */
export const agreeing = <Input>(
  order: Parsed<Input>,
  expected: string | undefined,
): Parsed<Agreeing<Input>> =>
  'refusals' in order
    ? order
    : {
        value: {
          order: order.value,
          agreedPrice: expected === undefined ? undefined : parseAmount(expected),
        },
      };
