import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EppAddress } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { alpha, beta, type Client } from '../support/client.ts';
import { createContact, freshCode } from '../support/contacts.ts';
import { balanceOf, freshName, hosts, newDomain } from '../support/domains.ts';
import type { EppClient } from '../support/epp.ts';
import { type EppCommand, envelope, poll } from '../support/epp-frames.ts';
import { type Dialect, objectCommands } from '../support/epp-objects.ts';
import { eppAddressOf, logInToEpp } from '../support/epp-sandbox.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { sql } from '../support/sql.ts';
import { codeOf, messagesAbout, newRegistrant, take } from '../support/transfers.ts';
import { RaceDatabase } from './race-database.ts';

/** Two processes on one database, each with both interfaces. */
const ROUNDS = process.env.TORTURE ? 20 : 2;
const LIMIT_MS = ROUNDS * 20_000;
const AT_ONCE = 12;
const MAX_NAMESERVERS = 11;
const SOON = { interval: 20 };
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ round: round + 1 }));

let database: RaceDatabase;
let nodes: readonly [SandboxProcess, SandboxProcess];
let sessions: { readonly alpha: readonly EppClient[]; readonly beta: readonly EppClient[] };
let registrant: string;

beforeAll(async () => {
  database = await RaceDatabase.create();
  nodes = await Promise.all([database.start(), database.start()]);
  const addresses = await Promise.all(nodes.map(({ url }) => eppAddressOf(url)));
  sessions = { alpha: await logInOften(addresses, 'alpha'), beta: await logInOften(addresses, 'beta') };
  registrant = await createContact(rest(0));
});
afterAll(() => database?.end());

const logInOften = (addresses: readonly EppAddress[], user: string) =>
  parallel(AT_ONCE, (index) => logInToEpp(addresses[index % addresses.length] as EppAddress, user));
/** A client of one of the nodes, in turns. */
const rest = (index: number, user: (url: string) => Client = alpha): Client =>
  user(nodes[index % nodes.length]?.url ?? '');
const parallel = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

const commands = { ietf: objectCommands('ietf'), ee: objectCommands('ee') };
const dialectOf = (index: number): Dialect & keyof typeof commands => (index % 4 < 2 ? 'ietf' : 'ee');

/** The codes of both interfaces, called concurrently. */
async function race(
  user: 'alpha' | 'beta',
  throughEpp: (objects: ReturnType<typeof objectCommands>, index: number) => EppCommand,
  throughRest: (client: Client, index: number) => Promise<{ readonly body: { readonly code: number } }>,
) {
  const [epp, rested] = await Promise.all([
    Promise.all(
      sessions[user].map(async (client, index) => {
        return (await client.command(throughEpp(commands[dialectOf(index)], index))).code;
      }),
    ),
    parallel(AT_ONCE, async (index) => {
      return (await throughRest(rest(index, { alpha, beta }[user]), index)).body.code;
    }),
  ]);
  return { epp, rest: rested, counts: countsOf([...epp, ...rested]) };
}

function countsOf(codes: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
const cents = async () => Math.round(Number(await balanceOf(rest(0))) * 100);
const registered = async () =>
  (
    await rest(0).post(
      '/domains',
      newDomain(registrant, { nameservers_attributes: hosts('a.example', 'b.example') }),
    )
  ).body.data.domain.name as string;

describe.each(rounds)(
  'EPP and REST at the same time, round $round',
  () => {
    test('success: one name, twelve sessions and twelve requests: one domain, one charge', async () => {
      const [name, before] = [freshName(), await cents()];
      const { counts } = await race(
        'alpha',
        ({ domain }) => domain.create({ name, period: '1y', registrant, code: 'a-transfer-code' }),
        (client) => client.post('/domains', newDomain(registrant, { name })),
      );
      expect(counts).toEqual({ 1000: 1, 2302: 2 * AT_ONCE - 1 });
      expect(before - (await cents())).toBe(900);
    });

    test('success: nameservers of one domain are added up to the limit, and none is lost', async () => {
      const name = await registered();
      const { epp, rest: rested } = await race(
        'alpha',
        ({ domain }, index) => domain.update(name, { add: { nameservers: [`epp${index}.example`] } }),
        (client, index) =>
          client.post(`/domains/${name}/nameservers`, { nameservers: hosts(`rest${index}.example`) }),
      );
      const added = [
        ...epp.flatMap((code, index) => (code === 1000 ? [`epp${index}.example`] : [])),
        ...rested.flatMap((code, index) => (code === 1000 ? [`rest${index}.example`] : [])),
      ];
      const { nameservers } = (await rest(1).get(`/domains/${name}`)).body.data.domain;
      const found = (nameservers as { hostname: string }[]).map(({ hostname }) => hostname);
      expect(found).toHaveLength(MAX_NAMESERVERS);
      expect(found.toSorted()).toEqual(['a.example', 'b.example', ...added].toSorted());
      expect(Object.keys(countsOf([...epp, ...rested]))).toEqual(['1000', '2308']);
    });

    test('success: a domain is transferred once, and notified once', async () => {
      const losing = rest(0);
      const name = await (await newRegistrant(losing)).register();
      const code = await codeOf(losing, name);
      const { counts } = await race(
        'beta',
        ({ domain }) => domain.transfer('request', name, { code }),
        (client) => take(client, name, code),
      );
      // The code of the domain changes with its sponsor.
      expect(counts).toEqual({ 1000: 1, 2202: 2 * AT_ONCE - 1 });
      expect((await messagesAbout(losing, name)).map(({ type }) => type)).toEqual(['transferred_away']);
      expect((await messagesAbout(rest(0, beta), name)).map(({ type }) => type)).toEqual(['transferred_in']);
      const transfers = await database.sql.rows(sql`
        select from transfers t join domains d on d.id = t.domain_id where d.name = ${name}`);
      expect(transfers).toHaveLength(1);
    });

    test('success: of twelve acknowledgements of one message one succeeds', async () => {
      const [oldest] = sessions.alpha;
      const id = (await oldest?.command(poll.request))?.attribute('msgQ', 'id') ?? '';
      const answers = await Promise.all(sessions.alpha.map((client) => client.command(poll.acknowledge(id))));
      expect(countsOf(answers.map(({ code }) => code))).toEqual({ 1000: 1, 2303: AT_ONCE - 1 });
    });

    test('success: whatever happened, the ledger is clean', async () => {
      expect(await checkLedger(database.sql)).toEqual([]);
    });
  },
  LIMIT_MS,
);

describe('kill -9 in the middle of creates through EPP', () => {
  const NAMES = 48;
  const LEASE_MS = 20_000;
  const byNode = (node: number) => sessions.alpha.filter((_, index) => index % nodes.length === node);
  const sessionsOfAlpha = () =>
    database.sql.rows(sql<{ server: string; leaseMs: number }>`
      select server, (extract(epoch from lease_until - clock_timestamp()) * 1000)::float8 as "leaseMs"
      from epp_sessions s join api_users u on u.id = s.user_id where username = 'alpha'`);
  const sessionsIn = async ({ pid }: SandboxProcess) =>
    (await sessionsOfAlpha()).filter(({ server }) => server.endsWith(`:${pid}`));

  test(
    'success: each name is registered and charged, or neither, and info shows which; a repeated clTRID is no idempotency key',
    async () => {
      const [run, before] = [freshCode(), await cents()];
      const [[living], dying] = [byNode(0) as [EppClient], byNode(1)];
      const create = (client: EppClient, index: number) => {
        const domain = { name: `${run}-${index}.ee`, period: '1y', registrant, code: 'a-transfer-code' };
        return client.send(envelope(commands.ietf.domain.create(domain), [], `${run}-${index}`));
      };
      const answered = new Map<number, number>();
      await Promise.allSettled(
        dying.map(async (client, start) => {
          for (let index = start; index < NAMES; index += dying.length) {
            answered.set(index, (await create(client, index)).code);
            if (answered.size === NAMES / 4) await nodes[1].kill9();
          }
        }),
      );
      expect(answered.size).toBeLessThan(NAMES);
      expect(countsOf([...answered.values()])).toEqual({ 1000: answered.size });

      const known: number[] = [];
      for (let index = 0; index < NAMES; index++)
        known.push((await living.command(commands.ietf.domain.info(`${run}-${index}.ee`))).code);
      for (const [index] of answered) expect(known[index]).toBe(1000);
      const lost = known.filter((code) => code === 2303).length;
      expect(countsOf(known)[1000]).toBe(NAMES - lost);
      expect(before - (await cents())).toBe((NAMES - lost) * 900);
      expect(await checkLedger(database.sql)).toEqual([]);

      const again: number[] = [];
      for (let index = 0; index < NAMES; index++) again.push((await create(living, index)).code);
      expect(again).toEqual(known.map((code) => (code === 1000 ? 2302 : 1000)));
      expect(before - (await cents())).toBe(NAMES * 900);
      expect(await checkLedger(database.sql)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'success: the sessions of the dead process count until their leases end, and no longer',
    async () => {
      await Promise.all(byNode(0).map((client) => client.close()));
      await expect.poll(() => sessionsIn(nodes[0]), SOON).toEqual([]);
      const dead = await sessionsIn(nodes[1]);
      expect(dead).toHaveLength(AT_ONCE / 2);
      expect(Math.max(...dead.map(({ leaseMs }) => leaseMs))).toBeLessThanOrEqual(LEASE_MS);

      const next = await database.start({ EPP_SESSIONS_PER_REGISTRAR: String(AT_ONCE / 2) });
      const address = await eppAddressOf(next.url);
      const moveLeases = (milliseconds: number) =>
        database.sql.run(sql`
          update epp_sessions set lease_until = clock_timestamp() + ${milliseconds} * interval '1 millisecond'`);
      await moveLeases(LEASE_MS);
      await expect(logInToEpp(address, 'alpha')).rejects.toThrow('code="2502"');
      await moveLeases(0);
      await using client = await logInToEpp(address, 'alpha');
      expect((await client.command(poll.request)).code).toBeLessThan(2000);
      expect([await sessionsIn(next), await sessionsOfAlpha()].map(({ length }) => length)).toEqual([1, 1]);
    },
    LIMIT_MS,
  );
});
