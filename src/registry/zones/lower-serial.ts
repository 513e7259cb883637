import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { findSerial, publishSerial, requireSerial } from './publish-serial.ts';
import { stepTowardsDate } from './serial.ts';

type Lowering = {
  readonly zone: string;
  /** By the wall clock, which serials follow: secondaries do not know that of a sandbox. */
  readonly publishedAt: Date;
};

/**
 * One of the two steps by which a serial that is ahead is led back to the date. The second one waits until every
 * secondary has the first: one that missed it would take the date for older, and follow no more.
 */
export const lowerSerial = operatorOperation(
  {
    name: 'lower serial',
    right: 'zones',
    refusals: ['zoneNeverPublished', 'zoneKeepsSerial', 'serialNotAhead', 'secondariesBehind'],
  },
  {
    load: async (db, { zone }: Lowering) => ({
      found: await findSerial(db, zone),
      secondaries: await db.rows(sql<{ name: string; serial: number | null }>`
        select s.name, h.serial from dns_secondaries s
          left join dns_secondary_serials h on h.secondary_id = s.id and h.zone = ${zone}
        where s.removed_at is null order by s.name`),
    }),

    decide({ found, secondaries }, { zone, publishedAt }) {
      const before = requireSerial(found, zone);
      const step = stepTowardsDate(before, publishedAt) ?? refuse('serialNotAhead', { zone });
      const behind = secondaries.filter(
        ({ serial }) => serial === null || stepTowardsDate(serial, publishedAt)?.isLast !== true,
      );
      if (step.isLast && behind.length > 0)
        refuse('secondariesBehind', { secondaries: behind.map(({ name }) => name).join(', ') });
      return { answer: { zone, before, ...step }, publishedAt };
    },

    persist(db, { answer, publishedAt }, context) {
      const { before, serial } = answer;
      const entry = {
        objectKind: 'zone',
        operation: 'lower serial',
        before: { serial: before },
        after: { serial },
      };
      return persistRecorded(db, publishSerial({ ...answer, publishedAt }), entry, { answer, context });
    },
  },
);
