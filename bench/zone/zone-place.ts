import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TsigKey } from '../../src/doors/dns/tsig.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { connectAsOwner } from '../../test/support/connect-as-owner.ts';
import { sql } from '../../test/support/sql.ts';
import { type Production, startProduction, type Working } from '../hostile/production.ts';
import type { Bar } from '../progress.ts';
import { fewRegistrars } from '../world.ts';
import { plantDelegations } from './delegations.ts';

export const ZONE = 'ee';
/** Has so many domains with the same nameservers. */
export const BULK_REGISTRAR = 'BENCH1';
const BULK_DOMAINS = 1_000;
const DOMAINS_OF_REGISTRARS = 2_000;
const POLL_INTERVAL_MS = 50;

/** A production installation with many delegations, of which nothing is published yet. */
export type ZonePlace = {
  readonly production: Production;
  readonly db: Pool;
  /** A command; returns what it prints. */
  run(...args: string[]): Promise<string>;
  addSecondary(name: string, port: number): Promise<TsigKey>;
  /** Starts what publishes; returns its process id. */
  startWork(): number;
  /** Of what was started so. */
  pids(): readonly number[];
  untilBuilt(): Promise<void>;
  stop(): Promise<void>;
};

export async function startZone(delegations: number, bar: Bar): Promise<ZonePlace> {
  const production = await startProduction(bar, { population: population(), hasQuickPasswords: true });
  const db = await connectAsOwner(production.address);
  let worker: Working | undefined;
  const stop = async () => {
    await worker?.stop();
    await db.close();
    await production.stop();
  };
  try {
    await plantDelegations(db, delegations, bar);
    await run(production, 'price', 'set', ZONE, 'create', '1y', '9.00');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    production,
    db,
    stop,
    run: (...args) => run(production, ...args),
    addSecondary: (name, port) => addSecondary(production, name, port),
    startWork: () => {
      worker = production.work();
      return worker.pid;
    },
    pids: () => (worker ? [worker.pid] : []),
    untilBuilt: async () => {
      const built = () => db.rows(sql`select from zones where zone = ${ZONE}`);
      while ((await built()).length === 0) await sleep(POLL_INTERVAL_MS);
    },
  };
}

function population() {
  const few = fewRegistrars(DOMAINS_OF_REGISTRARS, 1);
  return {
    ...few,
    shares: {
      [BULK_REGISTRAR]: { contacts: 100, domains: BULK_DOMAINS },
      LEAVING: { contacts: 10, domains: 10 },
    },
  };
}

async function addSecondary(production: Production, name: string, port: number): Promise<TsigKey> {
  await run(production, 'dns', 'secondary', 'add', name, '127.0.0.1', '--port', String(port));
  const printed = await run(production, 'dns', 'key', 'create', `${name}-key`, '--secondary', name, '--json');
  const secret = Buffer.from((JSON.parse(printed) as { secret: string }).secret, 'base64');
  return { name: `${name}-key`, algorithm: 'hmac-sha256', secret };
}

async function run({ start }: Production, ...args: string[]): Promise<string> {
  const child = start(args, ['ignore', 'pipe', 'inherit']);
  const ended = once(child, 'close');
  const output = child.stdout ? await text(child.stdout) : '';
  const [code] = await ended;
  if (code !== 0) throw new Error(`cadastre ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
