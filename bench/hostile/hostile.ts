import { readFileSync } from 'node:fs';
import { DOORS, isPublicDoor } from '../../src/app/product-dependencies.ts';
import type { Target, TlsFiles } from '../../test/support/attacks/attack.ts';
import { startAttackProcess } from '../../test/support/attacks/attack-process.ts';
import { attacks } from '../../test/support/attacks/attacks.ts';
import {
  callAsRegistrars,
  quantileOf,
  type RegistrarOutcome,
} from '../../test/support/attacks/registrar-calls.ts';
import { inFiles, selfSigned } from '../../test/support/certificates.ts';
import { Bar } from '../progress.ts';
import { machineLine, missesOf } from '../report.ts';
import { asMarkdown, fixed, type Table } from '../tables.ts';
import type { Figure, Work } from '../work.ts';
import type { World } from '../world.ts';
import { type Production, startProduction } from './production.ts';

/** What registrars noticed of an attack, and what the servers took. */
export type Endured = {
  readonly attack: string;
  readonly quiet: RegistrarOutcome;
  readonly meanwhile: RegistrarOutcome;
  /** The most memory that one of the serving processes held; undefined where the system does not tell. */
  readonly megabytes: number | undefined;
};

/** What registrars may wait for at p99 while an attack goes on, or three times as long as in quiet; no call may fail. */
const MAX_MS_UNDER_ATTACK = 250;
const MAX_SLOWDOWN = 3;
const MAX_MEGABYTES = 400;
/** Six users with ten calls a second each stay below the default of 1,000 a minute. */
const USERS = 6;
const CALLS_PER_SECOND = 60;
const WARM_UP_SECONDS = 1;

/** All attacks beside each other, but those that need another server. */
export const AT_ONCE = 'all of them at once';
const MIN_SECONDS_AT_ONCE = 60;

/** Registrars' reads in quiet, during each attack and during all at once, on production servers with default settings. */
export async function endureAttacks(
  seconds: number,
  bar: Bar,
  wanted?: readonly string[],
): Promise<readonly Endured[]> {
  const production = await startProduction(bar);
  const isWanted = (name: string) => wanted?.includes(name) ?? true;
  const chosen = attacks.filter(({ name }) => isWanted(name));
  const isTogether = isWanted(AT_ONCE);
  const count = chosen.length + (isTogether ? 1 : 0);
  try {
    const endured: Endured[] = [];
    for (const { name, needsTls, isBehindProxy } of chosen) {
      bar.show(name, endured.length, count);
      const tls = needsTls ? await tlsFiles() : undefined;
      endured.push(await endure(name, [name], production, seconds, { tls, behindProxy: isBehindProxy }));
    }
    if (isTogether) {
      bar.show(AT_ONCE, endured.length, count);
      const names = attacks.filter(({ needsTls }) => !needsTls).map(({ name }) => name);
      endured.push(await endure(AT_ONCE, names, production, Math.max(seconds, MIN_SECONDS_AT_ONCE)));
    }
    bar.show('done', count, count);
    return endured;
  } finally {
    await production.stop();
  }
}

type Surroundings = { readonly tls?: TlsFiles | undefined; readonly behindProxy?: boolean | undefined };

/** Servers of its own for each: an earlier attack may have stopped the last ones. As the units run them. */
async function endure(
  attack: string,
  names: readonly string[],
  production: Production,
  seconds: number,
  { tls, behindProxy = false }: Surroundings = {},
): Promise<Endured> {
  const { world, credentials, serve } = production;
  await using servers = new AsyncDisposableStack();
  const env = tls && { TLS_KEY_FILE: tls.tlsKeyFile, TLS_CERTIFICATE_FILE: tls.tlsCertificateFile };
  const registrars = await serve(
    env,
    DOORS.filter((door) => !isPublicDoor(door)),
  );
  servers.defer(registrars.stop);
  const strangers = await serve(env, DOORS.filter(isPublicDoor));
  servers.defer(strangers.stop);
  const { port, eppPort } = registrars;
  const surroundings = { port, secure: tls !== undefined, behindProxy };
  const load = { ...surroundings, calls: readsOf(world), perSecond: CALLS_PER_SECOND };
  await callAsRegistrars({ ...load, seconds: WARM_UP_SECONDS });
  const quiet = await callAsRegistrars({ ...load, seconds });
  const target: Target = {
    port,
    eppPort,
    credentials,
    publicPort: strangers.port,
    dnsPort: strangers.dnsPort,
    whoisPort: strangers.whoisPort,
    names: world.alpha.domains.map(({ name }) => name),
    ...(tls && { tls }),
  };
  await using attackers = new AsyncDisposableStack();
  for (const name of names) attackers.defer(await startAttackProcess(name, target));
  const meanwhile = await callAsRegistrars({ ...load, seconds });
  const held = [registrars, strangers].map(({ pid }) => mostMegabytesOf(pid));
  return {
    attack,
    quiet,
    meanwhile,
    megabytes: held.includes(undefined) ? undefined : Math.max(...held.map(Number)),
  };
}

/** The most that a process has held since it was started. */
function mostMegabytesOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / 1_000_000;
}

async function tlsFiles(): Promise<TlsFiles> {
  const identities = [await selfSigned('localhost'), await selfSigned('localhost')] as const;
  const { tlsKeyFile, tlsCertificateFile } = await inFiles(identities[0]);
  return { tlsKeyFile, tlsCertificateFile, identities };
}

function readsOf({ others }: World) {
  return others.slice(0, USERS).flatMap(({ authorization, domains, contactCodes }) => [
    { authorization, path: `/registry/v1/domains/${domains[0]?.name}` },
    { authorization, path: `/registry/v1/contacts/${contactCodes[0]}` },
    { authorization, path: '/registry/v1/accounts/balance' },
  ]);
}

const HEAD = ['attack', 'quiet p99 ms', 'p99 ms meanwhile', 'longest ms', 'calls', 'failed', 'with', 'MB'];
const countOf = ({ failures }: RegistrarOutcome) =>
  [...failures.values()].reduce((sum, count) => sum + count, 0);

function rowOf({ attack, quiet, meanwhile, megabytes }: Endured): string[] {
  const kinds = [...meanwhile.failures].map(([kind, count]) => `${kind} × ${count}`);
  return [
    attack,
    fixed(quantileOf(quiet, 0.99), 1),
    fixed(quantileOf(meanwhile, 0.99), 1),
    fixed(quantileOf(meanwhile, 1), 1),
    String(meanwhile.milliseconds.length),
    String(countOf(meanwhile)),
    kinds.join(', '),
    megabytes === undefined ? '' : fixed(megabytes, 0),
  ];
}

export const figuresOf = (work: string, endured: readonly Endured[]): readonly Figure[] =>
  endured.flatMap(({ attack, quiet, meanwhile, megabytes }) => [
    {
      work,
      what: `ms at p99 of registrars' reads: ${attack}`,
      value: quantileOf(meanwhile, 0.99),
      most: Math.max(MAX_MS_UNDER_ATTACK, MAX_SLOWDOWN * quantileOf(quiet, 0.99)),
    },
    { work, what: `reads that failed: ${attack}`, value: countOf(meanwhile), most: 0 },
    ...(megabytes === undefined
      ? []
      : [{ work, what: `MB of a serving process: ${attack}`, value: megabytes, most: MAX_MEGABYTES }]),
  ]);

const ATTACKS = 'attacks of hostile clients';
const SECONDS = 10;

/** On a server of its own, beside which nothing else is measured. */
export const hostileClients: Work = {
  name: ATTACKS,
  run: async () => figuresOf(ATTACKS, await endureAttacks(SECONDS, new Bar())),
};

/** Prints what registrars notice of each attack, and tells where it is more than it may be. */
export async function runHostile(
  seconds: number,
  bar: Bar,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  const endured = await endureAttacks(seconds, bar, wanted);
  const table: Table = [HEAD, ...endured.map(rowOf)];
  console.log(
    `${machineLine()}; ${CALLS_PER_SECOND} reads a second of ${USERS} registrars, ${seconds} s in quiet and ${seconds} s during each attack, at least ${MIN_SECONDS_AT_ONCE} s during all at once; registrars' interfaces and public ones in a process each.\n\n${asMarkdown(table)}`,
  );
  return missesOf(figuresOf(ATTACKS, endured));
}
