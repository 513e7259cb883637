import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { ConnectionLost, classifyDatabaseError } from '../../../src/platform/database/database-errors.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** A connection to the database that can be cut without notice. */
let line: net.Server;
let open: net.Socket[];
let database: Database;
let uncaught: unknown[];
const note = (error: unknown) => uncaught.push(error);
let created: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  created = await createTestDatabase();
});
afterAll(() => created.drop());
beforeEach(async () => {
  const { host, port, username } = inject('server');
  open = [];
  line = net.createServer((client) => {
    const server = net.connect(path.join(host, `.s.PGSQL.${port}`));
    open.push(client);
    for (const end of [client, server]) end.on('error', () => {});
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const { port: own } = line.address() as net.AddressInfo;
  const config = {
    ...readConfig('production', {}),
    readConnections: 1,
    listConnections: 1,
    writeConnections: 1,
  };
  database = openDatabase(`postgres://${username}@127.0.0.1:${own}/${created.name}`, config, 'UTC');
  uncaught = [];
  process.prependListener('uncaughtException', note);
});
afterEach(async () => {
  process.off('uncaughtException', note);
  await database.close();
  line.close();
});
/** Not over before the cut, however late that is; shorter than the statement timeout. */
const SLEEP_SECONDS = 8;
const cut = (how: 'destroy' | 'resetAndDestroy') => {
  for (const client of open.splice(0)) client[how]();
};

test.each(['destroy', 'resetAndDestroy'] as const)(
  'failure: a transaction whose connection is lost (%s) fails, affects no other, and the next one has another connection',
  async (how) => {
    for (let round = 0; round < 5; round++) {
      const lost = database.writes.begin(async (transaction) => {
        setTimeout(() => cut(how), 20);
        await transaction.run(sql`select pg_sleep(${SLEEP_SECONDS})`);
      });
      expect(classifyDatabaseError(await lost.catch((error: unknown) => error))).toBe('unavailable');
      const next = database.writes.begin((transaction) => transaction.one(sql`select 1 as one`));
      expect(await next).toEqual({ one: 1 });
    }
    expect(uncaught).toEqual([]);
  },
);

test.each(['destroy', 'resetAndDestroy'] as const)(
  'success: reads in flight when the connection is lost (%s) are answered over another one',
  async (how) => {
    await database.reads.one(sql`select 1 as one`);
    const reads = [
      database.reads.one(sql`select 1 as one from pg_sleep(0.2)`),
      database.reads.one(sql`select 2 as two`),
    ];
    setTimeout(() => cut(how), 20);
    expect(await Promise.all(reads)).toEqual([{ one: 1 }, { two: 2 }]);
    expect(await database.reads.one(sql`select 3 as three`)).toEqual({ three: 3 });
    expect(uncaught).toEqual([]);
  },
);

test.each(['destroy', 'resetAndDestroy'] as const)(
  'failure: a write that is in flight when the connection is lost (%s) fails, and is not sent again',
  async (how) => {
    // Nothing is sent before the connection is open, and waiting statements are sent over the next one.
    await database.writes.one(sql`select 1 as one`);
    const lost = database.writes.run(sql`select pg_sleep(${SLEEP_SECONDS})`);
    setTimeout(() => cut(how), 20);
    await expect(lost).rejects.toThrow(ConnectionLost);
    expect(await database.writes.one(sql`select 1 as one`)).toEqual({ one: 1 });
    expect(uncaught).toEqual([]);
  },
);
