import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/platform/config.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { databaseTrouble } from '../../../src/platform/database/errors.ts';

/** A line to the database that can be cut without a word. */
let line: net.Server;
let open: net.Socket[];
let database: Database;
let uncaught: unknown[];
const note = (error: unknown) => uncaught.push(error);
beforeEach(async () => {
  const { host, port, username, database: name } = inject('server');
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
  database = openDatabase(`postgres://${username}@127.0.0.1:${own}/${name}`, config, 'UTC');
  uncaught = [];
  process.prependListener('uncaughtException', note);
});
afterEach(async () => {
  process.off('uncaughtException', note);
  await database.close();
  line.close();
});
const cut = (how: 'destroy' | 'resetAndDestroy') => {
  for (const client of open.splice(0)) client[how]();
};

test.each(['destroy', 'resetAndDestroy'] as const)(
  'failure: a transaction whose connection is lost (%s) says so, ends nobody, and the next one has another',
  async (how) => {
    for (let round = 0; round < 5; round++) {
      const lost = database.writes.begin(async (sql) => {
        setTimeout(() => cut(how), 20);
        await sql`select pg_sleep(1)`;
      });
      expect(databaseTrouble(await lost.catch((error: unknown) => error))).toBe('away');
      expect(await database.writes.begin((sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    }
    expect(uncaught).toEqual([]);
  },
);

test.each(['destroy', 'resetAndDestroy'] as const)(
  'failure: queries that are under way when the connection is lost (%s) are told so',
  async (how) => {
    await database.reads`select 1`;
    const lost = [database.reads`select pg_sleep(1)`, database.reads`select 2`].map((query) =>
      query.catch((error: unknown) => databaseTrouble(error)),
    );
    setTimeout(() => cut(how), 20);
    expect(await Promise.all(lost)).toEqual(['away', 'away']);
    // Whoever comes in the same moment may still be sent over the lost one, and is told.
    await sleep(20);
    expect(await database.reads`select 3 as three`).toEqual([{ three: 3 }]);
    expect(uncaught).toEqual([]);
  },
);
