import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseTarget, type Owner, openAsOwner } from '../../src/platform/database/database.ts';
import { ConnectionFailed } from '../../src/platform/database/database-errors.ts';
import { sql } from './sql.ts';

const CONNECT_LIMIT_MS = 30_000;
const PAUSE_MS = 50;

/**
 * The same as `openAsOwner`, connected. The product gives up after a second and a half, which a machine that others
 * keep busy may take to start a session: the tests' own connections wait.
 */
export async function connectAsOwner(target: DatabaseTarget): Promise<Owner> {
  const owner = openAsOwner(target);
  const deadline = performance.now() + CONNECT_LIMIT_MS;
  for (;;) {
    try {
      await owner.run(sql`select`);
      return owner;
    } catch (error) {
      const isBusy = error instanceof ConnectionFailed && error.code === 'CONNECTION_FAILED';
      if (!isBusy || performance.now() > deadline) {
        await owner.close();
        throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
}
