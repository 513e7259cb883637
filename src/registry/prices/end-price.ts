import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { periodOf } from '../domains/rules/periods.ts';
import { refuse } from '../operator-refusals.ts';
import type { PricedOperation } from './prices.ts';

type EndOfPrice = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly months: number;
  /** The first day without it. */
  readonly day: string;
};

/** Ends a price; without a successor the operation has no price from then on. */
export const endPrice = operatorOperation(
  { name: 'end price', right: 'prices', refusals: ['priceMissing'] },
  {
    // Also those that a later one took the place of: they would be in force again.
    load: (db, { zone, operation, months, day }: EndOfPrice) =>
      db.rows(sql<{ id: number }>`
        select id from prices
        where zone = ${zone} and operation = ${operation} and months = ${months}
          and valid_from <= ${day}::date and (valid_until is null or valid_until > ${day}::date)`),

    decide(found, input) {
      const { zone, operation, months, day } = input;
      if (found.length === 0) refuse('priceMissing', { zone, operation, day, period: periodOf(months) });
      return { answer: input, ids: found.map(({ id }) => id) };
    },

    persist(db, { answer, ids }, context) {
      const { zone, operation, months, day } = answer;
      const changed = sql`
        update prices set valid_until = ${day}::date
        where id = any(${ids}::bigint[]) and (valid_until is null or valid_until > ${day}::date)
        returning id, ${`${zone} ${operation} ${months}m`}::text as name, jsonb_build_object('valid_until', ${day}::text) as after`;
      const entry = { objectKind: 'price', operation: 'end', after: sql`changed.after`, rows: ids.length };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
