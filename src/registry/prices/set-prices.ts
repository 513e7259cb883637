import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { AMOUNT_RULE, type Cents } from '../../platform/values/money.ts';
import { refuse } from '../operator-refusals.ts';
import { requireZone } from '../zones/require-zone.ts';
import type { PricedOperation } from './prices.ts';

export type NewPrice = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly months: number;
  readonly amount: Cents;
  readonly validFrom: string;
};

/** Sets prices; one that begins on the same day is replaced. Past charges are unaffected. */
export const setPrices = operatorOperation(
  { name: 'set prices', right: 'prices', refusals: ['zoneUnknown', 'priceNotPositive'] },
  {
    // What a price was before does not matter.
    load: async () => undefined,

    decide(_, prices: readonly NewPrice[], { policy }) {
      for (const { zone, amount } of prices) {
        requireZone(zone, policy);
        if (amount <= 0n) refuse('priceNotPositive', { rule: AMOUNT_RULE });
      }
      return { answer: { prices: prices.length }, prices };
    },

    persist(db, { answer, prices }, context) {
      const changed = sql`
        insert into prices as p (zone, operation, months, amount, currency, valid_from)
        select n.zone, n.operation, n.months, n.amount, ${context.policy.currency}, n.valid_from
        from unnest(${prices.map(({ zone }) => zone)}::text[], ${prices.map(({ operation }) => operation)}::text[],
          ${prices.map(({ months }) => months)}::int[], ${prices.map(({ amount }) => amount.toString())}::bigint[],
          ${prices.map(({ validFrom }) => validFrom)}::date[]) as n(zone, operation, months, amount, valid_from)
        on conflict (zone, operation, months, valid_from) do update set amount = excluded.amount, currency = excluded.currency, valid_until = null
        returning p.id, p.zone || ' ' || p.operation || ' ' || p.months || 'm' as name,
          jsonb_build_object('amount', p.amount, 'valid_from', p.valid_from) as after`;
      const entry = {
        objectKind: 'price',
        operation: 'set',
        after: sql`changed.after`,
        rows: prices.length,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
