import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import {
  ConnectionLost,
  classifyDatabaseError,
  TransactionEnded,
} from '../../../src/platform/database/database-errors.ts';
import type { Pool, Sql } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { randomOf, seed } from '../../support/seed.ts';

const KILLS = process.env.TORTURE ? 4_000 : 100;
const WRITERS = 24;
const READERS = 8;
/** Writes between two faults, so that there is always work to interrupt. */
const WRITES_BETWEEN = 20;

const random = randomOf(seed);
const randomInt = (below: number): number => Math.floor(random() * below);

let proxy: DatabaseProxy;
let owner: Owner;
let database: Database;
let drop: () => Promise<void>;
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
beforeAll(async () => {
  const server = inject('server');
  const { name, drop: dropDatabase } = await createTestDatabase();
  drop = dropDatabase;
  proxy = await DatabaseProxy.open(server);
  owner = await connectAsOwner({ ...server, database: name });
  await owner.script('create table marks (mark text not null); grant all on marks to cadastre_app');
  const url = `postgres://${server.username}@127.0.0.1:${proxy.port}/${name}`;
  const config = { ...readConfig('production', {}), readConnections: 2, writeConnections: 8 };
  database = openDatabase(url, config, 'UTC');
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('uncaughtException', note);
  process.off('unhandledRejection', note);
  await database.close();
  await owner.close();
  await proxy.close();
  await drop();
});

/** The marks of one transaction: all are committed or none. `lost` is a commit whose answer never came. */
type Write = {
  readonly marks: readonly string[];
  readonly taken: readonly string[];
  outcome: 'done' | 'failed' | 'lost';
};
type Written = Omit<Write, 'outcome'>;

const insert = (on: Sql, mark: string) => on.run(sql`insert into marks values (${mark})`);

class TakenBack extends Error {}

/** Handles of transactions that are over. Nothing may ever be written with one. */
const handles: Pool[] = [];

async function inTransaction(work: (on: Pool) => Promise<unknown>): Promise<unknown> {
  let handle: Pool | undefined;
  try {
    return await database.writes.begin((transaction) => {
      handle = transaction;
      return work(transaction);
    });
  } finally {
    if (handle) handles.push(handle);
  }
}

/** Every kind of writing work, each with the marks that it commits and those that it rolls back. */
const KINDS: readonly ((mark: string) => readonly [Written, () => Promise<unknown>])[] = [
  (mark) => [{ marks: [mark], taken: [] }, () => insert(database.writes, mark)],
  (mark) => {
    const marks = [1, 2, 3].map((number) => `${mark} ${number}`);
    return [
      { marks, taken: [] },
      () =>
        inTransaction(async (on) => {
          for (const each of marks) await insert(on, each);
        }),
    ];
  },
  (mark) => {
    const marks = [1, 2].map((number) => `${mark} ${number}`);
    return [
      { marks, taken: [] },
      () => inTransaction((on) => Promise.all(marks.map((each) => insert(on, each)))),
    ];
  },
  (mark) => {
    const marks = [`${mark} before`, `${mark} within`, `${mark} after`];
    const [before = '', within = '', after = ''] = marks;
    return [
      { marks, taken: [] },
      () =>
        inTransaction(async (on) => {
          await insert(on, before);
          await on.begin((inner) => insert(inner, within));
          await insert(on, after);
        }),
    ];
  },
  (mark) => {
    const [stays, goes] = [`${mark} stays`, `${mark} goes`];
    return [
      { marks: [stays], taken: [goes] },
      () =>
        inTransaction(async (on) => {
          await insert(on, stays);
          const undone = on.begin(async (inner) => {
            await insert(inner, goes);
            throw new TakenBack();
          });
          await undone.catch((error: unknown) => {
            if (!(error instanceof TakenBack)) throw error;
          });
        }),
    ];
  },
  (mark) => [
    { marks: [], taken: [mark] },
    () =>
      inTransaction(async (on) => {
        await insert(on, mark);
        throw new TakenBack();
      }),
  ],
  (mark) => [
    { marks: [], taken: [mark] },
    // A transaction that has ended refuses to write, even if another one has its connection by now.
    async () => {
      const handle = handles.splice(randomInt(handles.length + 1), 1)[0];
      if (handle) await expect(insert(handle, mark)).rejects.toThrow(TransactionEnded);
    },
  ],
];

async function writeUntil(isOver: () => boolean, who: number, writes: Write[]): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const kind = KINDS[randomInt(KINDS.length)];
    if (kind === undefined) continue;
    const [written, work] = kind(`${who} ${round}`);
    const write: Write = { ...written, outcome: 'done' };
    await work().catch((error: unknown) => {
      if (!(error instanceof TakenBack) && classifyDatabaseError(error) !== 'unavailable') throw error;
      write.outcome = error instanceof ConnectionLost ? 'lost' : 'failed';
    });
    writes.push(write);
  }
}

/** Detects answers that belong to another query. */
async function readUntil(isOver: () => boolean, on: Sql, answered: { count: number }): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const rows = on.rows(
      sql<{ n: number }>`select n from generate_series(1, ${round % 7}::int) as n order by n`,
    );
    const found = await rows.catch((error: unknown) => {
      if (classifyDatabaseError(error) !== 'unavailable') throw error;
      return undefined;
    });
    if (found === undefined) continue;
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: round % 7 }, (_, index) => index + 1));
    answered.count += 1;
  }
}

const terminate = (share: number) =>
  owner.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and random() < ${share}`);

async function injectFault(): Promise<number> {
  const how = randomInt(8);
  if (how === 0) return (await terminate(1)).length;
  if (how < 4) return (await terminate(0.15)).length;
  return proxy.cutSome(how < 6 ? 'close' : 'reset', () => randomInt(100) < 15);
}

test('success: whatever is killed or cut, each acknowledged write exists once, and no other exists', async () => {
  let faultCount = 0;
  const isOver = () => faultCount >= KILLS;
  const writes: Write[] = [];
  const answered = { count: 0 };
  const injectFaults = async () => {
    while (!isOver()) {
      faultCount += await injectFault();
      const enough = writes.length + WRITES_BETWEEN;
      while (writes.length < enough) await sleep(1);
    }
  };
  const work = [
    ...Array.from({ length: WRITERS }, (_, who) => writeUntil(isOver, who, writes)),
    ...Array.from({ length: READERS }, (_, who) =>
      readUntil(isOver, who % 2 === 0 ? database.reads : database.lists, answered),
    ),
  ];
  await Promise.all([injectFaults(), ...work]);

  const found = await owner.rows(sql<{ mark: string; times: number }>`
    select mark, count(*)::int as times from marks group by mark`);
  const times = new Map(found.map(({ mark, times: count }) => [mark, count]));
  const standing = ({ marks }: Write) => marks.filter((mark) => times.get(mark) === 1).length;
  expect(found.filter(({ times: count }) => count > 1)).toEqual([]);
  expect(writes.filter((write) => write.taken.some((mark) => times.has(mark)))).toEqual([]);
  const done = writes.filter(({ outcome }) => outcome === 'done');
  expect(done.filter((write) => standing(write) < write.marks.length)).toEqual([]);
  expect(writes.filter((write) => write.outcome === 'failed' && standing(write) > 0)).toEqual([]);
  const lost = writes.filter(({ outcome }) => outcome === 'lost');
  expect(lost.filter((write) => standing(write) % write.marks.length > 0)).toEqual([]);
  expect(done.length).toBeGreaterThan(KILLS);
  expect(answered.count).toBeGreaterThan(KILLS / 10);
  expect(uncaught).toEqual([]);

  // Afterwards everything works again, without a restart.
  await expect(insert(database.writes, 'after')).resolves.toBe(1);
  await expect(inTransaction((on) => insert(on, 'after'))).resolves.toBe(1);
  await expect(database.reads.one(sql`select 1 as one`)).resolves.toEqual({ one: 1 });
}, 600_000);
