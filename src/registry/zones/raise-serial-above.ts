import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { refuse } from '../operator-refusals.ts';
import { findSerial, publishSerial, requireSerial } from './publish-serial.ts';
import { addToSerial, isLaterSerial } from './serial.ts';

type Raise = {
  readonly zone: string;
  readonly above: number;
  /** By the wall clock, which serials follow: secondaries do not know that of a sandbox. */
  readonly publishedAt: Date;
};

/** For a server that has a later serial than ours and so takes nothing: the same content as the serial after its own. */
export const raiseSerialAbove = operatorOperation(
  {
    name: 'raise serial',
    right: 'zones',
    refusals: ['zoneNeverPublished', 'zoneKeepsSerial', 'serialLaterAlready', 'serialTooFar'],
  },
  {
    load: (db, { zone }: Raise) => findSerial(db, zone),

    decide(found, { zone, above, publishedAt }) {
      const before = requireSerial(found, zone);
      const serial = addToSerial(above, 1);
      if (isLaterSerial(before, above)) refuse('serialLaterAlready', { zone, above });
      // Servers that have our present serial would take it for an older one.
      if (!isLaterSerial(serial, before)) refuse('serialTooFar', { zone, above });
      return { answer: { zone, before, serial }, publishedAt };
    },

    persist(db, { answer, publishedAt }, context) {
      const { before, serial } = answer;
      const entry = {
        objectKind: 'zone',
        operation: 'raise serial',
        before: { serial: before },
        after: { serial },
      };
      return persistRecorded(db, publishSerial({ ...answer, publishedAt }), entry, { answer, context });
    },
  },
);
