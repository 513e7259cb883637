import type { Connection } from '../database/database-connection.ts';
import { addressesOf, type DatabaseTarget } from '../database/database.ts';
import { PoolerRefused } from '../database/database-errors.ts';
import type { Pool } from './executor.ts';
import { Server } from '../database/database-server.ts';
import { OWNER_SETTINGS } from '../database/session-settings.ts';
import { Transaction } from './transaction.ts';

/** A transaction of the owner that can also copy whole tables. */
export type BulkTransaction = Pick<Connection, 'copyOut' | 'copyIn'> & { readonly db: Pool };

/** Values are written in the same way by every server, whatever its defaults. */
const SETTINGS = {
  ...OWNER_SETTINGS,
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  extra_float_digits: 1,
  bytea_output: 'hex',
  client_encoding: 'UTF8',
};
const READ_SNAPSHOT = 'begin isolation level repeatable read, read only, deferrable';

/** Reads one consistent snapshot. */
export const withSnapshot = <T>(
  target: DatabaseTarget,
  work: (transaction: BulkTransaction) => Promise<T>,
): Promise<T> => runBulk(target, READ_SNAPSHOT, work);

/** Commits everything or nothing. */
export const withBulkTransaction = <T>(
  target: DatabaseTarget,
  work: (transaction: BulkTransaction) => Promise<T>,
): Promise<T> => runBulk(target, 'begin', work);

/** Does everything and rolls it back. */
export async function withBulkTrial(
  target: DatabaseTarget,
  work: (transaction: BulkTransaction) => Promise<void>,
): Promise<void> {
  const over = new Error('rolled back on purpose');
  const trial = withBulkTransaction(target, async (transaction) => {
    await work(transaction);
    throw over;
  });
  await trial.catch((error: unknown) => {
    if (error !== over) throw error;
  });
}

async function runBulk<T>(
  target: DatabaseTarget,
  begin: string,
  work: (transaction: BulkTransaction) => Promise<T>,
): Promise<T> {
  const addresses = addressesOf(target);
  if (addresses.isPooled) throw new PoolerRefused();
  const server = new Server(addresses);
  try {
    const connection = await server.connect({ settings: SETTINGS, pipeline: false });
    try {
      const transaction = await Transaction.begin(connection, begin, {});
      return await transaction.carryOut((db) =>
        work({
          db,
          copyOut: (text) => connection.copyOut(text),
          copyIn: (text, source) => connection.copyIn(text, source),
        }),
      );
    } finally {
      await connection.close();
    }
  } finally {
    server.close();
  }
}
