import { currentDeadline, requireTime } from '../work-scope.ts';
import { type Connection, isStale } from './database-connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { codeOf } from './database-errors.ts';
import { type BeginOptions, executorOf, type Pool, type Sender } from '../sql/executor.ts';
import type { Statement } from '../sql/statement.ts';
import { Transaction } from '../sql/transaction.ts';

/** Maximum replacements of connections that turned out to be dead before anything was done on them. */
const MAX_REPLACED = 20;
/** A writing statement was sent to a read-only server. */
const READ_ONLY = '25006';

/** Single statements on connections that each serve one caller at a time. */
export function statementsOn(pool: ConnectionPool): Sender {
  const once = async <T>(send: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await pool.take();
    try {
      // The client may have disconnected during the wait for a connection.
      requireTime();
      return await send(connection);
    } catch (error) {
      if (codeOf(error) === READ_ONLY) pool.leaveServer(connection);
      throw error;
    } finally {
      pool.give(connection);
    }
  };
  const sendOver = <Row extends object>(
    connection: Connection,
    statement: Statement<Row>,
    isPrepared: boolean,
  ) =>
    connection.checksDeadlines
      ? connection.sendInTime(statement, isPrepared, currentDeadline()?.at ?? Number.POSITIVE_INFINITY)
      : connection.send(statement, isPrepared);
  return {
    async send<Row extends object>(statement: Statement<Row>) {
      try {
        return await once((connection) => sendOver(connection, statement, true));
      } catch (error) {
        if (!isStale(error)) throw error;
        // Without its name: a pooler would reuse the statement that it prepared under it.
        return once((connection) => sendOver(connection, statement, false));
      }
    },
    sendText: (text) => once((connection) => connection.sendText(text)),
  };
}

/** A transaction on a connection of its own. */
async function transactionOn<T>(
  pool: ConnectionPool,
  begin: string,
  work: (transaction: Pool) => Promise<T>,
  options: BeginOptions,
): Promise<T> {
  const { connection, transaction } = await beginOn(pool, begin, options);
  try {
    return await transaction.carryOut(work);
  } catch (error) {
    if (codeOf(error) === READ_ONLY) pool.leaveServer(connection);
    if (!options.isPrepared || !isStale(error)) throw error;
  } finally {
    connection.extraTimeMs = 0;
    pool.give(connection);
  }
  // Nothing was done, and nothing is prepared the second time.
  return transactionOn(pool, begin, work, { ...options, isPrepared: false });
}

async function beginOn(pool: ConnectionPool, begin: string, options: BeginOptions) {
  for (let replaced = 0; ; replaced++) {
    const connection = await pool.take();
    try {
      return { connection, transaction: await Transaction.begin(connection, begin, options) };
    } catch (error) {
      const isDead = !connection.isUsable;
      pool.give(connection);
      if (!isDead || replaced === MAX_REPLACED) throw error;
    }
  }
}

export const poolOf = (statements: Sender, transactions: ConnectionPool, begin = 'begin'): Pool => ({
  ...executorOf(statements),
  begin: (work, options = {}) => transactionOn(transactions, begin, work, options),
});
