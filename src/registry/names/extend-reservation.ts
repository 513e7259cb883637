import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { requireLater } from '../require-later.ts';
import { nameEntry } from './name-history.ts';
import { findReserved } from './reserved-name.ts';

type Extension = {
  readonly name: string;
  /** In ISO 8601, from the present end on. */
  readonly duration: string;
};

/** Lets a reservation end later. */
export const extendReservation = operatorOperation(
  {
    name: 'extend reservation',
    right: 'names',
    refusals: ['nameNotReserved', 'nameReservedForGood', 'durationInvalid'],
  },
  {
    async load(db, { name }: Extension, { now }) {
      const [found] = await findReserved(db, [name], now);
      return found;
    },

    decide(found, { name, duration }, { policy }) {
      const { expiresAt: before } = found ?? refuse('nameNotReserved', { name });
      if (before === null) return refuse('nameReservedForGood', { name });
      const expiresAt = requireLater(before, { duration, example: 'P7D' }, policy);
      return { answer: { name, expiresAt }, before };
    },

    persist(db, { answer, before }, context) {
      const { name, expiresAt } = answer;
      const changed = sql`
        update reserved_names set expires_at = ${expiresAt} where name = ${name} and expires_at = ${before} returning name`;
      const entry = {
        ...nameEntry('extend'),
        before: { expires_at: before.toISOString() },
        after: { expires_at: expiresAt.toISOString() },
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
