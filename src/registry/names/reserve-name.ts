import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { requireLater } from '../require-later.ts';
import { nameEntry } from './name-history.ts';
import { insertReserved, newReservationCode } from './reserved-name.ts';

type Reservation = {
  readonly name: string;
  /** A random one if none is given. */
  readonly code?: string | undefined;
  /** In ISO 8601; for good if none is given. */
  readonly duration?: string | undefined;
};

/** Reserves a name for the holder of the code. */
export const reserveName = operatorOperation(
  {
    name: 'reserve name',
    right: 'names',
    refusals: ['durationInvalid', 'reservationCodeEmpty', 'nameReserved', 'nameRegistered'],
  },
  {
    load: (db, { name }: Reservation, { now }) =>
      db.one(sql<{ isReserved: boolean; isRegistered: boolean }>`
        select exists (select from reserved_names where name = ${name} and (expires_at is null or expires_at > ${now})) as "isReserved",
          exists (select from domains where name = ${name}) as "isRegistered"`),

    decide({ isReserved, isRegistered }, { name, duration, code }, { now, policy }) {
      const expiresAt =
        duration === undefined ? null : requireLater(now, { duration, example: 'P1Y' }, policy);
      if (code === '') refuse('reservationCodeEmpty', { at: ['code'] });
      if (isReserved) refuse('nameReserved', { name });
      if (isRegistered) refuse('nameRegistered', { name });
      return { answer: { name, code: code ?? newReservationCode(), expiresAt } };
    },

    persist: (db, { answer }, context) =>
      persistRecorded(db, { changed: insertReserved([answer], context.now) }, nameEntry('reserve'), {
        answer,
        context,
      }),
  },
);
