import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { statementsFor } from '../../../src/doors/epp/commands/object-handler.ts';
import { answerFeeCheck } from '../../../src/doors/epp/extensions/fee.ts';
import type { EppAddress } from '../../../src/doors/sandbox/sandbox-addresses.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { checkNames } from '../../../src/registry/names/availability.ts';
import { byOther, contextOf, NOW } from '../../support/decisions.ts';
import { EppClient } from '../../support/epp.ts';
import { envelope, fee } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { openTestDatabase, startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

const { domain } = objectCommands('ietf');
const names = (count: number, make = (index: number) => `a${index}.ee`): string[] =>
  Array.from({ length: count }, (_, index) => make(index));
const create = (count: number): string =>
  fee.check(Array.from({ length: count }, (_, index) => ({ name: 'create', period: `${index + 1}y` })));

describe('statements', () => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>;
  let database: Database;
  beforeAll(async () => {
    opened = await openTestDatabase();
    [database] = opened.databases as [Database];
  });
  afterAll(() => opened.close());

  test('success: a long check waits for its turn among the lists of its registrar, no other does', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { registrarId } = contextOf().principal;
    const lists = [1, 2].map(() => database.listTurns.run(registrarId, () => released));
    const answered: string[] = [];
    const check = async (name: string, count: number, context = contextOf()) => {
      await checkNames(statementsFor(count, database, context), names(count), context);
      answered.push(name);
    };
    const long = check('long', 21);
    await Promise.all([check('short', 20), check('other', 1_000, byOther())]);
    expect(answered.toSorted()).toEqual(['other', 'short']);
    release();
    await Promise.all([...lists, long]);
    expect(answered).toContain('long');
  });

  test('success: a price is asked for once per zone, whatever the number of names', async () => {
    const asked: unknown[] = [];
    const counted: Sql = {
      ...database.reads,
      rows: (statement) => {
        asked.push(...statement.values);
        return database.reads.rows(statement);
      },
    };
    const shown = names(200, (index) =>
      index % 4 === 3 ? 'no name' : `a${index}.${index % 2 ? 'ee' : 'com.ee'}`,
    );
    const checks = await checkNames(database.reads, shown, contextOf());
    const commands = [
      { name: 'create', period: { count: 1, unit: 'y' } },
      { name: 'renew', period: { count: 1, unit: 'y' } },
    ] as const;
    const answer = await answerFeeCheck(
      counted,
      { currency: undefined, commands },
      shown,
      checks,
      contextOf({ now: NOW }),
    );
    expect(String(answer).match(/<fee:fee>\d/g)).toHaveLength(2 * 150);
    expect(String(answer).match(/invalid format/g)).toHaveLength(50);
    expect(asked).toContainEqual('{"com.ee","com.ee","ee","ee"}');
  });

  test('success: names that are read by the tables of Unicode are read over many turns of the event loop', async () => {
    let [turns, isDone] = [0, false];
    const texts = names(1_000, (index) => `${'õäöü'.repeat(5)}${index}.ee`);
    const checking = checkNames(database.reads, texts, contextOf()).finally(() => {
      isDone = true;
    });
    for (; !isDone; turns += 1) await turn();
    expect((await checking).filter(({ available }) => available)).toHaveLength(1_000);
    expect(turns).toBeGreaterThan(50);
  });
});

describe('the rate limit', () => {
  let registry: TestRegistry;
  let epp: EppAddress;
  beforeAll(async () => {
    registry = await startFreshRegistry({ eppPort: 0, rateLimitPerMinute: 290 });
    ({ epp } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { epp: EppAddress });
  });
  afterAll(() => registry.stop());

  async function logIn(user: string): Promise<EppClient> {
    const client = await EppClient.connect({ port: epp.port, ca: epp.ca_certificate });
    onTestFinished(() => client.close());
    expect((await client.logIn(user, `${user}-sandbox-password`)).code).toBe(1000);
    return client;
  }

  test('failure: a check counts by its names and prices; beyond the limit it is 2502, and a short one still fits', async () => {
    const client = await logIn('alpha');
    expect((await client.command(domain.check(...names(1_000)), create(5))).code).toBe(1000);
    expect((await client.command(domain.check(...names(1_000)))).code).toBe(2502);
    expect((await client.command(domain.check(...names(700)))).code).toBe(1000);
    expect((await client.command(domain.check(...names(100)))).code).toBe(2502);
    expect((await client.command(domain.check('a.ee'))).code).toBe(1000);
  });

  test('failure: an answer beyond the limit is delayed, others are not', async () => {
    const client = await logIn('poor');
    const delays = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => delays.mockRestore());
    const delayed = () => delays.mock.calls.filter(([, ms]) => ms === 300).length;
    expect((await client.command(domain.check(...names(1_000)), create(5))).code).toBe(1000);
    expect(delayed()).toBe(0);
    expect((await client.command(domain.check(...names(1_000)))).code).toBe(2502);
    expect(delayed()).toBe(1);
  });

  test('failure: a large frame of a user beyond the limit is refused unread', async () => {
    const client = await logIn('beta');
    expect((await client.command(domain.check(...names(1_000)), create(5))).code).toBe(1000);
    expect((await client.command(domain.check(...names(800)))).code).toBe(1000);
    const delays = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => delays.mockRestore());
    const answer = await client.send(`${envelope(domain.check('a.ee'))}${' '.repeat(540_000)}<`);
    expect([answer.code, answer.clTRID]).toEqual([2502, undefined]);
    expect(delays.mock.calls.filter(([, ms]) => ms === 900)).toHaveLength(1);
    expect((await client.hello()).root.name).toBe('epp');
  });
});
