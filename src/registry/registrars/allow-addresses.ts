import { operatorOperation } from '../../operations/operator-operation.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refusal, refuse } from '../operator-refusals.ts';
import {
  ADDRESS_TABLES,
  checkOwnAddress,
  type ListedRange,
  loadList,
  persistList,
  requireRange,
} from './address-list.ts';

type NewRange = ListedRange & { readonly note: string };

/** Far above the number of a registrar's own networks. */
const MAX_RANGES = 256;

/** Lets users or people of a registrar in from a range. The first one excludes all other addresses, within seconds on every server. */
export const allowAddresses = operatorOperation(
  {
    name: 'allow addresses',
    right: 'registrars',
    refusals: [
      'addressRangeInvalid',
      'addressRegistrarMissing',
      'ownAddressOutside',
      'tooManyAddresses',
      'addressesTaken',
    ],
  },
  {
    load: (db, range: NewRange, context) => loadList(db, range, context),

    decide({ range: parsed, list }, wanted) {
      const range = requireRange(parsed, wanted);
      const { registrar, note, purpose, range: written } = wanted;
      if (!list) return refuse('addressRegistrarMissing', { range: written });
      const { ranges, network } = list;
      requireNone(checkOwnAddress([...ranges, network], wanted));
      requireNone(
        ranges.length >= MAX_RANGES ? [refusal('tooManyAddresses', { at: ['range'], range: written })] : [],
      );
      requireNone(
        ranges.includes(network) ? [refusal('addressesTaken', { at: ['range'], range: written })] : [],
      );
      return { answer: { registrar, range, note, purpose }, list };
    },

    persist(db, { answer, list }, context) {
      const { range, note, purpose } = answer;
      const listed = sql`
        insert into ${ADDRESS_TABLES[purpose]} (registrar_id, range, note, created_at)
        select changed.id, ${list.network}::cidr, ${note}, ${context.now} from changed`;
      return persistList(db, list, { verb: 'allow', purpose, range, listed, answer }, context);
    },
  },
);
