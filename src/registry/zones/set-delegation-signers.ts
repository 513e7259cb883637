import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { parentZone } from './records.ts';
import type { DsData } from './zone-record.ts';

type DelegationSigners = { readonly zone: string; readonly signers: readonly DsData[] };

/** Replaces the delegation signers of a zone, and marks the zone that publishes them. */
export const setDelegationSigners = operatorOperation(
  { name: 'set delegation signers', right: 'zones', refusals: ['zoneNotDelegated'] },
  {
    // Replaced whatever they were.
    load: async () => undefined,

    decide(_, { zone, signers }: DelegationSigners, { policy }) {
      const parent = parentZone(zone, policy) ?? refuse('zoneNotDelegated', { zone });
      return { answer: { zone, parent, signers } };
    },

    persist(db, { answer }, context) {
      const { zone, parent, signers } = answer;
      const changed = sql`
        select coalesce((select id from zones where zone = ${zone}), 0) as id, ${zone}::text as name`;
      const wanted = sql`
        select w.* from changed cross join jsonb_to_recordset(${json(signers)}) as w("keyTag" int, algorithm int, "digestType" int, digest text)`;
      const removed = sql`
        delete from zone_delegation_signers s using changed where s.zone = changed.name and not exists (
          select from wanted w where (w."keyTag", w.algorithm, w."digestType", w.digest) = (s.key_tag, s.algorithm, s.digest_type, s.digest))`;
      const added = sql`
        insert into zone_delegation_signers (zone, key_tag, algorithm, digest_type, digest)
        select ${zone}, "keyTag", algorithm, "digestType", digest from wanted on conflict do nothing`;
      const marked = sql`insert into zone_marks (zone, name) select ${parent}, name from changed`;
      const entry = { objectKind: 'zone', operation: 'set delegation signers', after: { ds: signers } };
      return persistRecorded(db, { changed, wanted, removed, added, marked }, entry, { answer, context });
    },
  },
);
