import { operatorOperation } from '../../operations/operator-operation.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import {
  ADDRESS_TABLES,
  checkOwnAddress,
  type ListedRange,
  loadList,
  persistList,
  requireRange,
} from './address-list.ts';

/** Takes a range off a list. Without ranges any address is allowed. */
export const disallowAddresses = operatorOperation(
  {
    name: 'disallow addresses',
    right: 'registrars',
    refusals: ['addressRangeInvalid', 'addressesNotListed', 'ownAddressOutside'],
  },
  {
    load: (db, range: ListedRange, context) => loadList(db, range, context),

    decide({ range: parsed, list }, wanted) {
      const range = requireRange(parsed, wanted);
      const { registrar, purpose } = wanted;
      if (!list?.ranges.includes(list.network)) return refuse('addressesNotListed', { registrar, range });
      const left = list.ranges.filter((listed) => listed !== list.network);
      requireNone(checkOwnAddress(left, wanted));
      return { answer: { registrar, range, purpose, left: left.length }, list };
    },

    persist(db, { answer, list }, context) {
      const { range, purpose } = answer;
      const listed = sql`
        delete from ${ADDRESS_TABLES[purpose]} a using changed
        where a.registrar_id = changed.id and a.range = ${list.network}::cidr`;
      return persistList(db, list, { verb: 'disallow', purpose, range, listed, answer }, context);
    },
  },
);
