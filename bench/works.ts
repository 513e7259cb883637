import type { Pool } from '../src/platform/sql/executor.ts';
import { effectsOf, oncePerDomain, plantDueDomains } from '../test/races/due-domains.ts';
import { connectAsOwner } from '../test/support/connect-as-owner.ts';
import { startSandboxProcess } from '../test/support/sandbox-process.ts';
import { sql } from '../test/support/sql.ts';
import { drive } from './client.ts';
import { connections } from './connections.ts';
import { idleSessions } from './epp/idle-sessions.ts';
import { Histogram } from './histogram.ts';
import { hostileClients } from './hostile/hostile.ts';
import { largeRegistrar } from './large-registrar.ts';
import { ask, encode } from './line.ts';
import type { Place, Work } from './work.ts';
import type { Registrar } from './world.ts';

type At = Omit<Place, 'secure'>;

const API = '/registry/v1';
const NAMES = 1_000;
const MANY = 100_000;
const MILLION = 1_000_000;
const DUE_EACH = 2_000;
const OLD = 'ns1.old.example';
const NEW = 'ns1.new.example';
/** Other registrars who read now and then, some 300 times in a second, and leave the machine room. */
const READERS = 8;
const PAUSE_MS = 25;
const WARM_UP_SECONDS = 3;
const QUIET_SECONDS = 5;
const CALLERS = 8;
const CALLED_ABOUT = 500;
const CALLED_SECONDS = 8;

/** Two thirds of the names with their right codes, the last third with a wrong code, unknown, or the caller's own. */
const bulkTransfer: Work = {
  name: 'bulk transfer of 1,000 names, a third of them failing',
  async run(place, { others: [gainer, loser] }) {
    const [taker, owner] = [known(gainer), known(loser)];
    const names = owner.domains.slice(0, NAMES).map(({ name }) => name);
    const codes = await withOwner(place, (db) =>
      db.rows(sql<{ name: string; code: string }>`
      select name, transfer_code as code from domains where name = any(${names}::text[])`),
    );
    const codeOf = new Map(codes.map(({ name, code }) => [name, code]));
    const third = Math.ceil(NAMES / 3);
    const wishes = names.map((name, index) => ({
      domain_name: index < third / 2 ? `missing-${name}` : name,
      transfer_code: index < third ? 'a-wrong-code' : (codeOf.get(name) ?? ''),
    }));
    const body = { data: { domain_transfers: wishes } };
    const { seconds, data } = await timed(place, taker, 'POST', '/domains/transfer', body);
    const { success, failed } = data as { success: unknown[]; failed: unknown[] };
    if (success.length !== NAMES - third || failed.length !== third)
      throw new Error(`${success.length} were transferred and ${failed.length} failed`);
    return [{ work: this.name, what: 'seconds', value: seconds, most: 3 }];
  },
};

const bulkNameservers: Work = {
  name: 'bulk nameserver replacement over 100,000 domains',
  async run(place, { alpha, others }, progress) {
    await withOwner(place, (db) => plantHosted(db));
    progress(`loaded ${MANY} domains with one nameserver`);
    // Few users: the password of each is verified again once a minute, which takes longer than many reads.
    const next = readsOf(others.slice(0, 2));
    const readers = { port: place.port, sockets: READERS, pauseMs: PAUSE_MS, next };
    await drive({ ...readers, seconds: WARM_UP_SECONDS }); // everybody's first login costs more than a read
    const quiet = (await drive({ ...readers, seconds: QUIET_SECONDS })).latencies.quantile(0.99);
    const data = { type: 'nameserver', id: OLD, attributes: { hostname: NEW } };
    let done = false;
    const replacing = timed(place, alpha, 'PUT', '/registrar/nameservers', { data }).finally(() => {
      done = true;
    });
    const windows: Histogram[] = [];
    // Publishing the zone is part of it.
    while (!done || (await withOwner(place, hasZoneMarks)))
      windows.push((await drive({ ...readers, seconds: 2 })).latencies);
    const { seconds, data: answer } = await replacing;
    const { affected_domains: affected } = answer as { affected_domains: string[] };
    if (affected.length !== MANY) throw new Error(`${affected.length} domains were changed`);
    const busy = Histogram.of(windows).quantile(0.99);
    const worst = Math.max(...windows.map((window) => window.quantile(0.99)));
    progress(
      `reads of others: p99 ${quiet.toFixed(1)} ms in quiet, ${busy.toFixed(1)} ms during the work, ${worst.toFixed(1)} ms in its worst two seconds`,
    );
    return [
      { work: this.name, what: 'seconds', value: seconds, most: 25 },
      { work: this.name, what: "times the quiet p99 of others' reads", value: busy / quiet, most: 3 },
    ];
  },
};

/** What anybody may call, while the question that follows hangs for five seconds. */
const callbacks: Work = {
  name: 'payment callbacks while the provider takes 5 s to answer',
  async run({ port }, _world, progress) {
    await fault(port, { target: 'provider', mode: 'slow', times: 1_000 });
    let count = 0;
    const next = () =>
      encode({
        method: 'GET',
        path: `/api/v1/callback_handler/callback?payment_reference=bench-${count++ % CALLED_ABOUT}&event_name=status_updated`,
      });
    const callers = { port, sockets: CALLERS, pauseMs: PAUSE_MS, next };
    await drive({ ...callers, seconds: WARM_UP_SECONDS });
    const { latencies } = await drive({ ...callers, seconds: CALLED_SECONDS });
    await fault(port, { target: 'provider', mode: 'none' });
    progress(`${count} callbacks about ${CALLED_ABOUT} payments`);
    return [{ work: this.name, what: 'ms at p99', value: latencies.quantile(0.99), most: 50 }];
  },
};

/** On a registry of its own: as many domains as a country has. */
const lifecycle: Work = {
  name: 'lifecycle over 1,000,000 domains, 10,000 of them due',
  async run(_place, _world, progress) {
    const sandbox = await startSandboxProcess();
    const place = { port: Number(new URL(sandbox.url).port), database: sandbox.database };
    try {
      await withOwner(place, (db) => plantDueDomains(db, { each: DUE_EACH }, MILLION - 5 * DUE_EACH));
      progress(`loaded ${MILLION} domains, ${5 * DUE_EACH} of them due within three days`);
      // The other jobs of a registry that is months old from the first moment: its statements, its daily figures.
      await advance(place, 'PT2H');
      const started = performance.now();
      await advance(place, 'P3D');
      const seconds = (performance.now() - started) / 1000;
      const found = JSON.stringify(await withOwner(place, effectsOf));
      if (found !== JSON.stringify(oncePerDomain(DUE_EACH))) throw new Error(found);
      return [{ work: this.name, what: 'seconds', value: seconds, most: 8 }];
    } finally {
      await sandbox.stop();
    }
  },
};

export const works: readonly Work[] = [
  bulkTransfer,
  bulkNameservers,
  callbacks,
  connections,
  idleSessions,
  hostileClients,
  lifecycle,
  largeRegistrar,
];

async function advance(place: Pick<Place, 'port'>, duration: string): Promise<void> {
  const body = JSON.stringify({ advance: duration });
  const { status, body: answer } = await ask(place, encode({ method: 'POST', path: '/sandbox/clock', body }));
  if (status !== 200) throw new Error(`the clock answers ${status}: ${answer}`);
}

async function fault(port: number, body: object): Promise<void> {
  const answer = await ask(
    { port },
    encode({ method: 'POST', path: '/sandbox/faults', body: JSON.stringify(body) }),
  );
  if (answer.status !== 200) throw new Error(`the fault was answered ${answer.status}: ${answer.body}`);
}

const hasZoneMarks = async (db: Pool): Promise<boolean> =>
  (await db.one(sql<{ has: boolean }>`select exists (select from zone_marks) as has`)).has;

/** Domains of ALPHA that all have the same two nameservers. */
async function plantHosted(db: Pool): Promise<void> {
  await db.run(sql`set session_replication_role = replica`);
  await db.run(sql`
    with added as (
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
      select 'hosted-' || n || '.ee', 'ee', r.id, (select min(id) from contacts c where c.registrar_id = r.id), md5('hosted' || n), now(), now(), now() + interval '1 year'
      from generate_series(1, ${MANY}::int) as n cross join registrars r where r.code = 'ALPHA' returning id)
    insert into domain_nameservers (domain_id, hostname) select id, h from added cross join (values (${OLD}), ('ns2.old.example')) as hosts(h)`);
  await db.run(sql`reset session_replication_role`);
  await db.run(sql`vacuum analyze domains, domain_nameservers`);
}

function readsOf(registrars: readonly Registrar[]): () => Buffer {
  const requests = registrars.flatMap(({ authorization, domains }) =>
    domains
      .slice(0, 50)
      .map(({ name }) => encode({ method: 'GET', path: `${API}/domains/${name}`, authorization })),
  );
  let place = 0;
  return () => requests[place++ % requests.length] as Buffer;
}

async function timed({ port }: At, { authorization }: Registrar, method: string, path: string, body: object) {
  const started = performance.now();
  const request = encode({ method, path: `${API}${path}`, authorization, body: JSON.stringify(body) });
  const answer = await ask({ port }, request);
  const seconds = (performance.now() - started) / 1000;
  if (answer.status !== 200)
    throw new Error(`${path} answers ${answer.status}: ${answer.body.slice(0, 500)}`);
  return { seconds, data: (JSON.parse(answer.body) as { data: unknown }).data };
}

async function withOwner<T>({ database }: At, ask: (db: Pool) => Promise<T>): Promise<T> {
  const db = await connectAsOwner(database);
  try {
    return await ask(db);
  } finally {
    await db.close();
  }
}

function known(registrar: Registrar | undefined): Registrar {
  if (!registrar) throw new Error('there are not enough registrars');
  return registrar;
}
