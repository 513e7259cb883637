import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { TsigKey } from '../../src/doors/dns/tsig.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { freePort } from '../../test/support/free-port.ts';
import { sql } from '../../test/support/sql.ts';
import type { Production } from '../hostile/production.ts';
import { OtherPrograms } from '../other-programs.ts';
import type { Bar } from '../progress.ts';
import { LIMITS } from '../servers.ts';
import { MAX_MEMORY } from '../targets.ts';
import type { Figure } from '../work.ts';
import { type FreezableZone, publishBulkChange, publishWhileOthersRead } from './changes.ts';
import { Follower } from './follower.ts';
import { MemoryWatch, type WatchedMemory } from './memory-watch.ts';
import { BULK_REGISTRAR, startZone, ZONE, type ZonePlace } from './zone-place.ts';

/** What is told besides the figures. */
export type Listener = {
  readonly bar: Bar;
  /** How many processors other programs kept busy while changes were measured. */
  readonly disturbed: (elsewhere: number) => void;
};
export type ZoneSizes = { readonly delegations: number; readonly changes: number };
const COMMANDS = ['rebuild', 'check', 'export'];

const MAX_TRANSFER_SECONDS = 90;
const MAX_REBUILD_SECONDS = 180;
const MAX_TIMES_COPY = 8;
/** Of the last third of the time to the third before it. */
const MAX_RISE = 1.1;
/** A zone of so many delegations: built, rebuilt, checked, exported, transferred and followed by a secondary. */
export async function measureZone(
  { delegations, changes }: ZoneSizes,
  listener: Listener,
  commands: readonly string[] = COMMANDS,
): Promise<readonly Figure[]> {
  const { bar } = listener;
  const place = await startZone(delegations, bar);
  try {
    const notifyPort = await freePort();
    const key = await place.addSecondary('follower', notifyPort);
    const built = await firstBuild(place, bar);
    const read = await measureCommands(place.production, commands, bar);
    return [...built, ...read, ...(await measureServing(place, changes, { key, notifyPort }, listener))];
  } finally {
    await place.stop();
  }
}

async function firstBuild(place: ZonePlace, bar: Bar): Promise<readonly Figure[]> {
  const work = 'first build';
  bar.say(work);
  const started = performance.now();
  const watch = new MemoryWatch(place.startWork());
  await place.untilBuilt();
  const seconds = (performance.now() - started) / 1000;
  const memory = memoryFigures(work, watch.end());
  return [{ work, what: 'seconds', value: seconds, most: MAX_REBUILD_SECONDS }, ...memory];
}

/** Commands that read all of the zone, in processes of their own. */
async function measureCommands(
  production: Production,
  commands: readonly string[],
  bar: Bar,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const command of commands) {
    const args = ['zone', command, ZONE];
    const work = `cadastre ${args.join(' ')}`;
    bar.say(work);
    const started = performance.now();
    const child = production.start(args, ['ignore', openSync('/dev/null', 'w'), 'inherit']);
    const watch = new MemoryWatch(child.pid ?? 0);
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${work} ended with ${code}`);
    const seconds = (performance.now() - started) / 1000;
    figures.push({ work, what: 'seconds', value: seconds, most: MAX_REBUILD_SECONDS });
    figures.push(...memoryFigures(work, watch.end()));
  }
  return figures;
}

async function measureServing(
  place: ZonePlace,
  changes: number,
  { key, notifyPort }: { readonly key: TsigKey; readonly notifyPort: number },
  { bar, disturbed }: Listener,
): Promise<readonly Figure[]> {
  const { production, db } = place;
  const dnsPort = await freePort();
  const server = await production.serve({ ...LIMITS, DNS_PORT: String(dnsPort) });
  const follower = new Follower({ host: '127.0.0.1', port: dnsPort, zone: ZONE, key });
  try {
    const transferred = await measureTransfer(follower, { pid: server.pid, db, bar });
    await follower.listen(notifyPort);
    bar.say(`${changes} changes`);
    const publication = {
      visibleAt: (name: string) => {
        follower.requireNoFailure();
        return follower.addedAt.get(name);
      },
    };
    const { port, pid } = server;
    const { world, databasePid } = production;
    const work = `${changes} registrations`;
    const source = { port, world, count: changes };
    const others = new OtherPrograms([pid, ...place.pids()], databasePid);
    const followed = await publishWhileOthersRead(work, source, { ...publication, ...freezable(place) });
    disturbed(others.end());
    const [registrar] = world.others;
    if (!registrar) throw new Error('there are no other registrars');
    const hostname = await firstHostOf(db);
    const bulk = await publishBulkChange(
      `a nameserver of ${registrar.domains.length} domains replaced`,
      { port, registrar, hostname },
      publication,
    );
    bar.say(`followed by ${follower.serials} serials`);
    return [...transferred, ...followed, ...bulk];
  } finally {
    follower.close();
    await server.stop();
  }
}

/** The floor is what PostgreSQL alone takes to write the same rows in the same order. */
async function measureTransfer(
  follower: Follower,
  { pid, db, bar }: { readonly pid: number; readonly db: Pool; readonly bar: Bar },
): Promise<readonly Figure[]> {
  const work = 'AXFR';
  bar.say(work);
  const copying = performance.now();
  await db.script(
    `copy (select label, records from zone_records where zone = '${ZONE}' order by label) to '/dev/null'`,
  );
  const floor = (performance.now() - copying) / 1000;
  const watch = new MemoryWatch(pid);
  const started = performance.now();
  const records = await follower.transfer();
  const seconds = (performance.now() - started) / 1000;
  const memory = watch.end();
  bar.say(`${records} records in ${seconds.toFixed(1)} s, ${floor.toFixed(1)} s by COPY`);
  return [
    { work, what: 'seconds', value: seconds, most: MAX_TRANSFER_SECONDS },
    { work, what: 'times a COPY of the same rows', value: seconds / floor, most: MAX_TIMES_COPY },
    ...memoryFigures(work, memory),
  ];
}

const firstHostOf = async (db: Pool): Promise<string> => {
  const { hostname } = await db.one(sql<{ hostname: string }>`
    select n.hostname from domain_nameservers n join domains d on d.id = n.domain_id join registrars r on r.id = d.registrar_id
    where r.code = ${BULK_REGISTRAR} order by n.hostname limit 1`);
  return hostname;
};

const freezable = ({ run }: ZonePlace): FreezableZone => ({
  freeze: () => run('zone', 'freeze', ZONE, '--reason', 'benchmark'),
  thaw: () => run('zone', 'thaw', ZONE, '--reason', 'benchmark'),
});

const memoryFigures = (work: string, { peak, rise }: WatchedMemory): Figure[] => [
  { work, what: 'MB at the most', value: peak / 1e6, most: MAX_MEMORY / 1e6 },
  ...(rise === undefined
    ? []
    : [{ work, what: 'memory, last third to middle third', value: rise, most: MAX_RISE }]),
];
