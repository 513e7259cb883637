import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, inject, test } from 'vitest';
import { Deadline, DeadlineExceeded } from '../../../src/platform/concurrency/deadline.ts';
import { withDeadline } from '../../../src/platform/work-scope.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { classifyDatabaseError } from '../../../src/platform/database/database-errors.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { timed } from '../../support/running-time.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';

/** Of running time: two seconds on an idle machine; the rest is for a database that gets less of a processor. */
const ANSWERED_WITHIN_MS = 4_000;
const BEGUN_WITHIN_MS = 2_000;

type Limits = Partial<Parameters<typeof openDatabase>[1]>;

/** A separate proxy to a separate database, both closed with the test. */
async function openLine() {
  const server = inject('server');
  const { name, drop } = await createTestDatabase();
  const owner = await connectAsOwner({ ...server, database: name });
  await owner.script('create table marks (mark text not null); grant all on marks to cadastre_app');
  const proxy = await DatabaseProxy.open(server);
  const url = `postgres://${server.username}@127.0.0.1:${proxy.port}/${name}`;
  const opened: Database[] = [];
  const outages: unknown[] = [];
  const events = { outageBegan: (failure: unknown) => void outages.push(failure) };
  onTestFinished(async () => {
    proxy.resume();
    for (const database of opened) await database.close();
    await owner.close();
    await proxy.close();
    await drop();
  });
  return {
    proxy,
    url,
    owner,
    outages,
    open: (limits: Limits = {}, address = url): Database => {
      const config = { ...readConfig('production', {}), ...limits };
      const database = openDatabase(address, config, 'UTC', events);
      opened.push(database);
      return database;
    },
    marks: async () =>
      (await owner.rows(sql<{ mark: string }>`select mark from marks order by mark`)).map(({ mark }) => mark),
  };
}

const insert = (mark: string) => sql`insert into marks values (${mark})`;

describe.concurrent('a server that does not answer', () => {
  test('failure: waiting and new statements fail within seconds; afterwards everything works again', async () => {
    const { open, proxy, marks } = await openLine();
    const database = open();
    await Promise.all([database.reads.one(sql`select 1 as one`), database.writes.run(insert('before'))]);
    proxy.pause();
    const work = [
      () => database.reads.one(sql`select 1 as one`),
      () => database.lists.one(sql`select 1 as one`),
      () => database.writes.run(insert('single')),
      () => database.writes.begin((db) => db.run(insert('transaction'))),
    ];
    const first = work.map((one) => timed(one()));
    await sleep(1_000);
    const answers = await Promise.all([...first, ...work.map((one) => timed(one()))]);
    for (const { ms, outcome } of answers) {
      expect(classifyDatabaseError(outcome)).toBe('unavailable');
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    }
    const later = await Promise.all(work.map((one) => timed(one())));
    for (const { ms, outcome } of later) {
      expect(classifyDatabaseError(outcome)).toBe('unavailable');
      expect(ms).toBeLessThan(500);
    }
    // A write that was sent last could still be begun until then.
    await sleep(BEGUN_WITHIN_MS);
    proxy.resume();
    const back = await timed(untilAnswered(database));
    expect(back.ms).toBeLessThan(2_000);
    await sleep(300);
    expect(await marks()).toEqual(['before']);
  });

  test('success: a slow statement is no outage', async () => {
    const { open } = await openLine();
    const database = open();
    const slow = database.lists.one(sql<{ slept: string }>`select 'yes' as slept from pg_sleep(2.5)`);
    const write = database.writes.one(sql<{ slept: string }>`select 'yes' as slept from pg_sleep(2.5)`);
    expect(await Promise.all([slow, write])).toEqual([{ slept: 'yes' }, { slept: 'yes' }]);
  });

  test('failure: one silent connection, while others are answered, is closed after the statement timeout', async () => {
    const { open, proxy, marks } = await openLine();
    const database = open({ statementTimeoutMs: 500, writeConnections: 1 });
    await database.writes.run(insert('before'));
    const others = setInterval(() => database.reads.one(sql`select 1 as one`).catch(() => {}), 50);
    const { pid } = await database.writes.one(sql<{ pid: number }>`select pg_backend_pid() as pid`);
    proxy.pause(pid);
    const { ms, outcome } = await timed(database.writes.run(insert('silent')));
    clearInterval(others);
    expect(classifyDatabaseError(outcome)).toBe('unavailable');
    expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    proxy.resume();
    await database.writes.run(insert('later'));
    expect(await marks()).toEqual(['before', 'later']);
  });

  test('success: it can be closed within seconds', async () => {
    const { open, proxy } = await openLine();
    const database = open();
    await Promise.all([database.reads.one(sql`select 1 as one`), database.writes.run(insert('before'))]);
    proxy.pause();
    const waiting = timed(database.writes.run(sql`select 1`));
    const { ms } = await timed(database.close());
    expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(classifyDatabaseError((await waiting).outcome)).toBe('unavailable');
  });
});

describe.concurrent('a slow server', () => {
  const SLOW_MS = 2_500;
  /** Longer than a usual probe waits. */
  const LATE_MS = 1_500;

  test('success: one that answers everything late is waited for, also by those who need a connection', async () => {
    const { open, proxy, outages } = await openLine();
    const database = open();
    await database.reads.one(sql`select 1 as one`);
    proxy.delayAnswers(SLOW_MS);
    const work = [database.reads, database.lists, database.lists].map((db) => db.one(sql`select 1 as one`));
    expect(await Promise.all(work)).toEqual([{ one: 1 }, { one: 1 }, { one: 1 }]);
    expect(outages).toEqual([]);
  });

  test('success: one that takes long to open a connection, and answers on others, is no outage', async () => {
    const { open, proxy, outages } = await openLine();
    const database = open();
    await database.reads.one(sql`select 1 as one`);
    proxy.pauseNew();
    const list = database.lists.one(sql`select 1 as one`);
    for (let answered = 0; answered < 40; answered++) {
      await database.reads.one(sql`select 1 as one`);
      await sleep(50);
    }
    expect(outages).toEqual([]);
    proxy.resume();
    expect(await list).toEqual({ one: 1 });
  });

  test('success: an outage ends also where the server answers late afterwards', async () => {
    const { open, proxy, outages } = await openLine();
    const database = open();
    await database.reads.one(sql`select 1 as one`);
    proxy.pause();
    const failure = await database.reads.one(sql`select 1 as one`).catch((error: unknown) => error);
    expect(classifyDatabaseError(failure)).toBe('unavailable');
    proxy.delayAnswers(LATE_MS);
    proxy.resume();
    await untilAnswered(database);
    expect(outages).toHaveLength(1);
  });
});

test('success: a slow statement is answered while the pools are closed', async () => {
  const { open, outages } = await openLine();
  const database = open();
  await database.lists.one(sql`select 1 as one`);
  const slow = database.lists.one(sql<{ slept: string }>`select 'yes' as slept from pg_sleep(1.5)`);
  await database.close();
  expect(await slow).toEqual({ slept: 'yes' });
  expect(outages).toEqual([]);
});

describe.concurrent('a server that recovers', () => {
  test('success: the first statement is answered soon', async () => {
    const { open, proxy } = await openLine();
    const database = open();
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      await Promise.all([database.reads.one(sql`select 1 as one`), database.writes.run(sql`select 1`)]);
      proxy.refuse();
      // A read over a lost connection opens another one.
      const early = timed(database.reads.one(sql`select 1 as one`));
      await expect.poll(() => database.isAvailable(), { interval: 1 }).toBe(false);
      // Whatever the time since the last probe.
      await sleep((round * 37) % 100);
      await proxy.accept();
      times.push((await timed(untilAnswered(database))).ms);
      await early;
    }
    times.sort((one, other) => one - other);
    const [median = Number.NaN, longest = Number.NaN] = [times[10], times[19]];
    expect(median).toBeLessThan(500);
    expect(longest).toBeLessThan(2_000);
  });
});

describe.concurrent('a deadline', () => {
  test('failure: a statement that waits for a connection beyond it is not started', async () => {
    const { open, marks, owner } = await openLine();
    const database = open({ writeConnections: 1 });
    const lock = sql`select pg_advisory_xact_lock(1)`;
    const { others } = await owner.begin(async (db) => {
      await db.run(lock);
      const busy = database.writes.run(lock);
      const late = withDeadline(Deadline.in(200), () => database.writes.run(insert('late')));
      const inTime = withDeadline(Deadline.in(60_000), () => database.writes.run(insert('in time')));
      // It fails while the connection is still busy.
      await expect(late).rejects.toThrow(DeadlineExceeded);
      return { others: Promise.all([busy, inTime]) };
    });
    await others;
    expect(await marks()).toEqual(['in time']);
  });

  test('failure: a request whose client has disconnected is not executed', async () => {
    const { open } = await openLine();
    const database = open({ writeConnections: 1 });
    const deadline = Deadline.in(60_000);
    deadline.abandon();
    for (const db of [database.reads, database.lists, database.writes])
      await expect(withDeadline(deadline, () => db.rows(sql`select 1`))).rejects.toThrow(DeadlineExceeded);
  });

  test('failure: a statement that completes too late is rolled back', async () => {
    const { open, marks } = await openLine();
    const database = open();
    const slow = sql`with slow as (select pg_sleep(2.5)) insert into marks select 'late' from slow`;
    await database.writes.run(sql`select 1`); // the time of the connection is not that of the statement
    // A deadline that has passed before the statement is sent is another failure.
    const outcome = await withDeadline(Deadline.in(2_000), () => database.writes.run(slow)).catch(
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ code: 'ZD001' });
    expect(classifyDatabaseError(outcome)).toBe('busy');
    await withDeadline(Deadline.in(60_000), () => database.writes.run(slow));
    expect(await marks()).toEqual(['late']);
  });

  test('failure: a transaction that would commit too late is rolled back, and an expired one sends nothing more', async () => {
    const { open, marks } = await openLine();
    const database = open();
    await database.writes.begin((db) => db.run(sql`select 1`)); // as above
    const commit = withDeadline(Deadline.in(200), () =>
      database.writes.begin((db) =>
        db.run(sql`with slow as (select pg_sleep(0.4)) insert into marks select 'late' from slow`),
      ),
    );
    await expect(commit).rejects.toThrow(DeadlineExceeded);
    const deadline = Deadline.in(60_000);
    const abandoned = withDeadline(deadline, () =>
      database.writes.begin(async (db) => {
        await db.run(insert('first'));
        deadline.abandon();
        await db.run(insert('second'));
      }),
    );
    await expect(abandoned).rejects.toThrow(DeadlineExceeded);
    expect(await marks()).toEqual([]);
  });

  test('failure: a statement that reaches the server later than two seconds after it was sent has no effect', async () => {
    const { open, proxy, marks } = await openLine();
    const database = open();
    await database.writes.run(insert('before'));
    await database.writes.begin((db) => db.run(insert('before too')));
    const { promise: paused, resolve: pause } = Promise.withResolvers<void>();
    const transaction = timed(
      database.writes.begin(async (db) => {
        await db.run(insert('committed'));
        proxy.pause();
        pause();
      }),
    );
    const single = timed(paused.then(() => database.writes.run(insert('single'))));
    const outcomes = await Promise.all([transaction, single]);
    expect(outcomes.map(({ outcome }) => classifyDatabaseError(outcome))).toEqual([
      'unavailable',
      'unavailable',
    ]);
    await sleep(600);
    proxy.resume();
    await untilAnswered(database);
    await sleep(200);
    expect(await marks()).toEqual(['before', 'before too']);
  });
});

describe.concurrent('several servers', () => {
  const elsewhere = async (): Promise<{ port: number; close(): void }> => {
    const server = net.createServer((socket) => socket.on('error', () => {}));
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return { port, close: () => server.close() };
  };
  const behind = (url: string, port: number) =>
    `${url.replace('@127.0.0.1', `@127.0.0.1:${port},127.0.0.1`)}?target_session_attrs=read-write`;

  test('success: one that refuses connections is skipped, and so is one that does not answer', async () => {
    const { open, marks, url } = await openLine();
    const silent = await elsewhere();
    const database = open({}, behind(url, silent.port));
    await untilAnswered(database);
    await database.writes.run(insert('found'));
    silent.close();
    const refused = open({}, behind(url, silent.port));
    await refused.writes.run(insert('found at once'));
    expect(await marks()).toEqual(['found', 'found at once']);
  });
});

/** Queries as often as a busy process. */
async function untilAnswered(database: Database): Promise<void> {
  for (;;) {
    try {
      await database.reads.one(sql`select 1 as one`);
      return;
    } catch (error) {
      if (classifyDatabaseError(error) !== 'unavailable') throw error;
      await sleep(10);
    }
  }
}
