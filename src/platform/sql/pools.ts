import { isStale } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { codeOf } from './errors.ts';
import { executorOf, type Pool, type Sender } from './executor.ts';
import type { Statement } from './statement.ts';
import { Transaction } from './transaction.ts';

/** Connections that turned out to be dead before anything was done on them are replaced as often as this. */
const MAX_REPLACED = 20;
/** A statement that writes was sent to a server that takes no writes (any more). */
const READ_ONLY = '25006';

/** Statements of their own on connections of which each serves one at a time. */
export function statementsOn(pool: ConnectionPool): Sender {
  const once = async <T>(
    send: (connection: Awaited<ReturnType<typeof pool.take>>) => Promise<T>,
  ): Promise<T> => {
    const connection = await pool.take();
    try {
      return await send(connection);
    } catch (error) {
      if (codeOf(error) === READ_ONLY) pool.leaveServer();
      throw error;
    } finally {
      pool.give(connection);
    }
  };
  return {
    async send<Row extends object>(statement: Statement<Row>) {
      try {
        return await once((connection) => connection.send(statement, true));
      } catch (error) {
        if (!isStale(error)) throw error;
        return once((connection) => connection.send(statement, true));
      }
    },
    sendText: (text) => once((connection) => connection.sendText(text)),
  };
}

/** A transaction on a connection of its own, from its beginning to its end. */
async function transactionOn<T>(pool: ConnectionPool, work: (transaction: Pool) => Promise<T>): Promise<T> {
  const { connection, transaction } = await beginOn(pool);
  try {
    return await transaction.carryOut(work);
  } catch (error) {
    if (codeOf(error) === READ_ONLY) pool.leaveServer();
    throw error;
  } finally {
    pool.give(connection);
  }
}

async function beginOn(pool: ConnectionPool) {
  for (let replaced = 0; ; replaced++) {
    const connection = await pool.take();
    try {
      return { connection, transaction: await Transaction.begin(connection) };
    } catch (error) {
      const isDead = !connection.isUsable;
      pool.give(connection);
      if (!isDead || replaced === MAX_REPLACED) throw error;
    }
  }
}

export const poolOf = (statements: Sender, transactions: ConnectionPool): Pool => ({
  ...executorOf(statements),
  begin: (work) => transactionOn(transactions, work),
});
