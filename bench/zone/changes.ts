import { setTimeout as sleep } from 'node:timers/promises';
import { driveAt } from '../client.ts';
import { ask, Line } from '../line.ts';
import { http, isSuccess } from '../protocol.ts';
import { anyOf, fresh, pick, read, write } from '../requests.ts';
import { MAX_MS_AT_HALF } from '../targets.ts';
import type { Figure } from '../work.ts';
import type { Registrar, World } from '../world.ts';

const WRITERS = 8;
const CHANGES_PER_SECOND = 200;
/** Reads of others meanwhile. */
const READERS = 4;
const READS_PER_SECOND = 100;
const MAX_VISIBLE_SECONDS = 3;
/** What a registrar may notice of publication. */
const MAX_TIMES_FROZEN = 2;
const VISIBLE_TIMEOUT_MS = 60_000;

/** Where the records of names appear. */
export type Publication = {
  /** Called when the change of a name was answered. */
  readonly expect?: (name: string) => void;
  /** When they did, on the monotonic clock; undefined as long as they do not. */
  readonly visibleAt: (name: string) => number | undefined;
};

export type FreezableZone = {
  readonly freeze: () => Promise<unknown>;
  readonly thaw: () => Promise<unknown>;
};
export type Source = { readonly port: number; readonly world: World; readonly count: number };

type Change = { readonly name: string; readonly answeredAt: number; readonly ms: number };

/** So many registrations over REST at a steady rate, until each is published. */
export async function publishChanges(
  work: string,
  source: Source,
  publication: Publication,
): Promise<readonly Figure[]> {
  const { delays } = await register(source, publication);
  const waited = await delays();
  return [visible(work, waited), median(work, waited)];
}

/**
 * The same while other registrars read, first with the zone frozen and then with it published: the floor is what
 * registrations cost the readers anyway. In between the zone is thawed, and what waited is published.
 */
export async function publishWhileOthersRead(
  work: string,
  source: Source,
  { freeze, thaw, ...publication }: Publication & FreezableZone,
): Promise<readonly Figure[]> {
  await readDuring(source, () => Promise.resolve()); // everybody's first login costs more than a read
  await freeze();
  const frozen = await readDuring(source, () => register(source, publication));
  await thaw();
  const thawedAt = performance.now();
  const waited = await frozen.done.delays(thawedAt);
  const published = await readDuring(source, () => register(source, publication));
  const { delays, writes } = published.done;
  const [reads, floor] = [published.p99, { reads: frozen.p99, writes: frozen.done.writes }];
  return [
    visible(`${source.count} registrations in a frozen zone, from its thaw`, waited),
    visible(work, await delays()),
    median(work, await delays()),
    { work, what: 'ms at p99 of these writes', value: writes, most: MAX_MS_AT_HALF.write },
    {
      work,
      what: 'p99 of these writes to that in a frozen zone',
      value: writes / floor.writes,
      most: MAX_TIMES_FROZEN,
    },
    { work, what: "ms at p99 of others' reads meanwhile", value: reads, most: MAX_MS_AT_HALF.read },
    {
      work,
      what: "p99 of others' reads to that in a frozen zone",
      value: reads / floor.reads,
      most: MAX_TIMES_FROZEN,
    },
  ];
}

async function readDuring<T>({ port, world, count }: Source, change: () => Promise<T>) {
  const others = world.others.slice(0, 2);
  const next = anyOf(
    others.flatMap((other) => other.domains.slice(0, 50).map(({ name }) => read(other, `/domains/${name}`))),
  );
  const seconds = count / CHANGES_PER_SECOND;
  const reading = driveAt({ port, sockets: READERS, perSecond: READS_PER_SECOND, next, seconds });
  const [done, { latencies }] = await Promise.all([change(), reading]);
  return { done, p99: latencies.quantile(0.99) };
}

const median = (work: string, delays: readonly number[]): Figure => ({
  work,
  what: 'seconds, median',
  value: quantile(delays, 0.5) / 1000,
  most: MAX_VISIBLE_SECONDS,
});

const visible = (work: string, delays: readonly number[]): Figure => ({
  work,
  what: 'seconds from the answer until the last is visible',
  value: Math.max(0, ...delays) / 1000,
  most: MAX_VISIBLE_SECONDS,
});

/** `delays` waits until all are published; they are counted from each answer, or from a later moment. */
async function register({ port, world: { alpha }, count }: Source, publication: Publication) {
  const started = performance.now();
  const changes: Change[] = [];
  let next = 0;
  const writers = Array.from({ length: WRITERS }, async () => {
    const line = await Line.open({ port });
    for (let index = next++; index < count; index = next++) {
      const dueAt = started + (index * 1000) / CHANGES_PER_SECOND;
      await sleep(Math.max(0, dueAt - performance.now()));
      const change = await registerOne(line, alpha, dueAt);
      publication.expect?.(change.name);
      changes.push(change);
    }
    line.close();
  });
  await Promise.all(writers);
  return {
    delays: (since = 0) => delaysOf(changes, publication, since),
    writes: quantile(
      changes.map(({ ms }) => ms),
      0.99,
    ),
  };
}

async function registerOne(line: Line, registrar: Registrar, dueAt: number): Promise<Change> {
  const name = `${fresh()}.ee`;
  const [registrant, admin, tech] = [0, 1, 2].map(() => pick(registrar.contactCodes));
  const domain = {
    name,
    registrant,
    period: 1,
    period_unit: 'y',
    admin_contacts: [admin],
    tech_contacts: [tech],
    nameservers_attributes: ['ns1', 'ns2', 'ns3'].map((host) => ({ hostname: `${host}.hoster.example` })),
  };
  const answer = await line.ask(write(registrar, 'POST', '/domains', { domain }));
  if (!isSuccess(http.statusOf(answer))) throw new Error(`${name}: ${http.bodyOf(answer)}`);
  const answeredAt = performance.now();
  return { name, answeredAt, ms: answeredAt - dueAt };
}

/** One call that replaces a nameserver of all domains of a registrar. */
export async function publishBulkChange(
  work: string,
  {
    port,
    registrar,
    hostname,
  }: { readonly port: number; readonly registrar: Registrar; readonly hostname: string },
  publication: Publication,
): Promise<readonly Figure[]> {
  const data = { type: 'nameserver', id: hostname, attributes: { hostname: `new.${hostname}` } };
  const answer = await ask({ port }, write(registrar, 'PUT', '/registrar/nameservers', { data }));
  const answeredAt = performance.now();
  if (answer.status !== 200) throw new Error(`the replacement was answered ${answer.status}: ${answer.body}`);
  const changes = registrar.domains.map(({ name }) => ({ name, answeredAt, ms: 0 }));
  return [visible(work, await delaysOf(changes, publication))];
}

async function delaysOf(
  changes: readonly Change[],
  { visibleAt }: Publication,
  since = 0,
): Promise<number[]> {
  const delays: number[] = [];
  const deadline = performance.now() + VISIBLE_TIMEOUT_MS;
  for (const { name, answeredAt } of changes) {
    let at = visibleAt(name);
    for (; at === undefined; at = visibleAt(name)) {
      if (performance.now() > deadline) throw new Error(`${name} was not published within a minute`);
      await sleep(20);
    }
    delays.push(at - Math.max(answeredAt, since));
  }
  return delays;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
