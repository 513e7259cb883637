import pg from 'pg';
import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import { executorOf, type Pool } from '../../src/platform/sql/executor.ts';

export type PlainConnection = Pool & { close(): Promise<void> };

/**
 * A connection that waits for its answers for as long as they take. The product's own gives a silent server up when it
 * accepts no other connection within a second, as a busy machine may.
 */
export async function connectPlainly(address: EmbeddedAddress): Promise<PlainConnection> {
  const { host, port, username: user, database } = address;
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  const sql = executorOf({
    send: async ({ text, values }) => {
      const { rows, rowCount, command } = await client.query(text, [...values]);
      return { rows, command, count: rowCount ?? 0 };
    },
    sendText: (text) => client.query(text),
  });
  const pool: Pool = {
    ...sql,
    async begin(work) {
      await client.query('begin');
      try {
        const done = await work(pool);
        await client.query('commit');
        return done;
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    },
  };
  return { ...pool, close: () => client.end() };
}
