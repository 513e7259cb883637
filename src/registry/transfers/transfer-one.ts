import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Context } from '../operation.ts';
import { refuseMissing } from '../removed.ts';
import { runRegistryTransaction } from '../run-operation.ts';
import { lockDomains, refuseTransfer, transferDomains, type Wish } from './transfer.ts';

/** Whoever knows the code of a domain becomes its sponsor, at once. */
export function transferDomain(database: Database, wish: Wish, context: Context): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const found = (await lockDomains(db, [wish.name], context)).get(wish.name);
    if (!found) return refuseMissing(db, 'domain', wish.name, context.principal);
    refuseTransfer(found, wish, context);
    await transferDomains(db, [found], context);
    return { domain: { name: wish.name, type: 'domain_transfer' } };
  });
}
