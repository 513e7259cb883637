import { operatorTransaction } from '../operations/operator-operation.ts';
import { insertHistory } from '../operations/record-history.ts';
import { beginEra } from '../platform/event-eras.ts';
import {
  type DatabasePlace,
  isRepairedSince,
  readCopy,
  recordOriginal,
} from '../platform/installation-copy.ts';
import { installationKind } from '../platform/migrations/migrate.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

type Confirmation = {
  /** Where the database is now. */
  readonly place: DatabasePlace;
  /** Of a restored backup after which nothing was written to the original. */
  readonly withoutRepair: boolean;
};

/** Declares that this database replaces the original, which never runs again. */
export const confirmRecovery = operatorTransaction(
  {
    name: 'confirm recovery',
    right: 'operation',
    refusals: ['sandboxNeverOriginal', 'stagingNeverOriginal', 'nothingRepaired'],
  },
  {
    async transact(db, { place, withoutRepair }: Confirmation, context) {
      if ((await installationKind(db)) === 'sandbox') refuse('sandboxNeverOriginal');
      const { state, since } = await readCopy(db);
      // What a staging copy did was never meant for anybody outside: it must not be sent after all.
      if (state === 'staging') refuse('stagingNeverOriginal');
      if (state === 'unconfirmed' && since && !withoutRepair && !(await isRepairedSince(db, since)))
        refuse('nothingRepaired', { at: ['withoutRepair'] });
      await recordOriginal(db, place);
      await beginEra(db, context.now);
      const entry = {
        objectKind: 'installation',
        objectId: 0,
        objectName: 'installation',
        operation: 'confirm recovery',
        registrarId: null,
        before: { copy: state ?? null },
        after: { copy: null, withoutRepair },
      };
      await db.run(insertHistory(entry, context, sql``));
      return {};
    },
  },
);
