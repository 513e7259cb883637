import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseEvents } from '../../../src/app/watch-database.ts';
import { serviceSender } from '../../../src/billing/deliveries/service-sender.ts';
import { post } from '../../../src/billing/exports/post-document.ts';
import { exchange } from '../../../src/billing/provider/exchange.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { continueTrace, newSpanId } from '../../../src/platform/tracing/trace.ts';
import { traceHeaders, withTrace } from '../../../src/platform/work-scope.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { holdTime } from '../../support/held-time.ts';
import { createTestDatabase, keptLog } from '../../support/registry.ts';
import { message, openService } from '../../support/service.ts';
import { waitingFor } from '../../support/waiting.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the header traceparent', () => {
  test.each([
    ['sampled', `00-${ID}-${PARENT}-01`, true],
    ['not sampled', `00-${ID}-${PARENT}-00`, false],
    ['with flags that we do not know', `00-${ID}-${PARENT}-fe`, false],
    ['of a later version', `cc-${ID}-${PARENT}-01-what-the-future-holds`, true],
  ])('success: %s, it is continued', (_what, header, isSampled) => {
    const trace = continueTrace(header, 'r');
    expect(trace).toMatchObject({ traceId: ID, parentId: PARENT, isSampled, requestId: 'r' });
    expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['two', [`00-${ID}-${PARENT}-01`, `00-${ID}-${PARENT}-01`]],
    ['two joined by Node', `00-${ID}-${PARENT}-01, 00-${ID}-${PARENT}-01`],
    ['upper case', `00-${ID.toUpperCase()}-${PARENT}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
    ['the version ff', `ff-${ID}-${PARENT}-01`],
    ['version 00 with more', `00-${ID}-${PARENT}-01-more`],
    ['a short trace', `00-${ID.slice(1)}-${PARENT}-01`],
    ['spaces', ` 00-${ID}-${PARENT}-01`],
    ['a line break', `00-${ID}-${PARENT}-01\n`],
    ['very long', `cc-${ID}-${PARENT}-01-${'x'.repeat(8_000)}`],
  ])('failure: %s, and a trace begins here', (_what, header) => {
    const trace = continueTrace(header);
    expect(trace.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(trace).toMatchObject({ parentId: undefined, isSampled: false });
    expect(trace.traceId).not.toBe(ID);
    expect(trace.traceId).not.toBe(continueTrace(header).traceId);
  });

  test('success: no two spans have the same id', () => {
    expect(new Set(Array.from({ length: 1_000 }, newSpanId)).size).toBe(1_000);
  });
});

test('success: requests to the provider, to services and for documents carry the trace', async () => {
  const service = await openService();
  const { url } = service;
  const trace = continueTrace(`00-${ID}-${PARENT}-01`);
  const call = async () => {
    await exchange({ url, authorization: 'Basic eDp5', withinMs: 5_000 });
    await post({ url, body: '<a/>', headers: { 'content-type': 'text/xml' }, timeoutMs: 5_000 });
    const settings = { url: 'U', secret: 'S' };
    await serviceSender({ url: () => url, secrets: ['a-secret-of-the-service'], settings })(message());
  };
  await withTrace(trace, call);
  await call();
  expect(service.received.map(({ headers }) => headers.traceparent)).toEqual([
    ...Array(3).fill(`00-${ID}-${trace.spanId}-01`),
    ...Array(3).fill(undefined),
  ]);
});

describe('on a database', () => {
  const { sink, logged } = keptLog();
  const lines = () =>
    logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const log = createLog('info', sink);
  let database: ReturnType<typeof openDatabase>;
  let withoutSlow: ReturnType<typeof openDatabase>;
  let holder: Owner;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    const target = { ...inject('server'), database: made.name };
    holder = await connectAsOwner(target);
    const config = { ...readConfig('sandbox', {}), slowStatementMs: 500 };
    database = openDatabase(target, config, 'UTC', databaseEvents(log, config));
    const hour = { ...config, slowStatementMs: 3_600_000 };
    withoutSlow = openDatabase(target, hour, 'UTC', databaseEvents(log, hour));
  });
  afterAll(async () => {
    await Promise.all([database.close(), withoutSlow.close(), holder.close()]);
    await drop();
  });

  test('success: a slow statement is logged with its request, and without its values', async () => {
    const trace = continueTrace(`00-${ID}-${PARENT}-01`, 'the-request');
    const time = holdTime();
    /** Its statement waits for a lock for longer than is slow; no other is slow, however busy the machine. */
    const slowly = async (work: () => Promise<unknown>): Promise<unknown> => {
      const { done } = await holder.begin(async (db) => {
        await db.run(sql`select pg_advisory_xact_lock(7)`);
        const done = withTrace(trace, work);
        await expect.poll(() => waitingFor(db), { interval: 10 }).toBe(1);
        time.pass(550);
        return { done };
      });
      return done;
    };
    const { reads, writes } = database;
    await slowly(() => reads.rows(sql`select pg_advisory_xact_lock(7),\n   ${'very-secret-word'} as word`));
    await slowly(() => writes.begin((db) => db.rows(sql`select pg_advisory_xact_lock(${7})`)));
    await slowly(() => withoutSlow.reads.rows(sql`select pg_advisory_xact_lock(7), 'quick enough'`));
    await slowly(() =>
      expect(writes.rows(sql`select pg_advisory_xact_lock(7), 1 / ${0}`)).rejects.toThrow('zero'),
    );
    expect(lines()).toMatchObject([
      {
        level: 40,
        msg: 'slow statement',
        traceId: ID,
        reqId: 'the-request',
        statement: 'select pg_advisory_xact_lock(7), $1 as word',
      },
      { statement: expect.stringMatching(/^select pg_advisory_xact_lock\(\$1/) },
      { statement: 'select pg_advisory_xact_lock(7), 1 / $1' },
    ]);
    expect(lines()[0]?.ms).toBeGreaterThanOrEqual(500);
    expect(logged()).not.toContain('very-secret-word');
    expect(logged()).not.toContain('quick enough');
  });

  test('success: each run of a job is a trace of its own, also in what it logs', async () => {
    const headers: unknown[] = [];
    const job = {
      name: 'traced',
      intervalMs: 1_000,
      run: async () => {
        headers.push(traceHeaders().traceparent);
        throw new Error(`on purpose, ${headers.length}`);
      },
    };
    const jobs = new Jobs(database.writes, [job], log, () => {});
    await jobs.runNow('traced', new Date());
    await jobs.runNow('traced', new Date());
    const [one, two] = lines()
      .filter(({ msg }) => msg === 'job failed')
      .map(({ traceId }) => traceId);
    expect(one).not.toBe(two);
    expect(headers).toEqual([
      expect.stringMatching(`^00-${one}-[0-9a-f]{16}-00$`),
      expect.stringMatching(`^00-${two}-[0-9a-f]{16}-00$`),
    ]);
  });
});
