import { isIP } from 'node:net';
import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { refusal } from '../operator-refusals.ts';
import { checkName } from './secondary-name.ts';

type NewSecondary = { readonly name: string; readonly address: string; readonly port: number };

const MAX_PORT = 65_535;

/** Adds a server that is told of changes; it may transfer the zones once it has a key. */
export const addSecondary = operatorOperation(
  {
    name: 'add secondary',
    right: 'zones',
    refusals: ['secondaryNameInvalid', 'secondaryAddressInvalid', 'portInvalid', 'secondaryTaken'],
  },
  {
    load: async (db, { name }: NewSecondary) => ({
      isTaken:
        (await db.rows(sql`select from dns_secondaries where name = ${name} and removed_at is null`)).length >
        0,
    }),

    decide({ isTaken }, { name, address: given, port }) {
      const address = normaliseAddress(given);
      const isPort = Number.isInteger(port) && port >= 1 && port <= MAX_PORT;
      requireNone([
        ...checkName(name),
        ...(isIP(address) === 0 ? [refusal('secondaryAddressInvalid', { address: given })] : []),
        ...(isPort ? [] : [refusal('portInvalid', { most: MAX_PORT, at: ['port'] })]),
        ...(isTaken ? [refusal('secondaryTaken', { name })] : []),
      ]);
      return { answer: { name, address, port } };
    },

    persist(db, { answer }, context) {
      const { name, address, port } = answer;
      const changed = sql`
        insert into dns_secondaries as s (name, address, port, created_at) values (${name}, ${address}, ${port}, ${context.now})
        on conflict (name) where removed_at is null do nothing returning s.id, s.name`;
      const entry = { objectKind: 'dns secondary', operation: 'add', after: { address, port } };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
