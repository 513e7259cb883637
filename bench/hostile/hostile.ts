import type { Target } from '../../test/support/attacks/attack.ts';
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

/** What registrars noticed of an attack. */
export type Endured = {
  readonly attack: string;
  readonly quiet: RegistrarOutcome;
  readonly meanwhile: RegistrarOutcome;
};

/** What each of them may take at the most while an attack goes on; no call may fail. */
const MAX_MS_UNDER_ATTACK = 250;
/** Six users with ten calls a second each stay below the default of 1,000 a minute. */
const USERS = 6;
const CALLS_PER_SECOND = 60;
const WARM_UP_SECONDS = 1;

/** Registrars' reads in quiet and then during each attack, on a production server with default settings. */
export async function endureAttacks(
  seconds: number,
  bar: Bar,
  chosen = attacks,
): Promise<readonly Endured[]> {
  const production = await startProduction(bar);
  try {
    const endured: Endured[] = [];
    for (const { name } of chosen) {
      bar.show(name, endured.length, chosen.length);
      endured.push(await endure(name, production, seconds));
    }
    bar.show('done', chosen.length, chosen.length);
    return endured;
  } finally {
    await production.stop();
  }
}

/** A server of its own for each: an earlier attack may have stopped the last one. */
async function endure(attack: string, production: Production, seconds: number): Promise<Endured> {
  const { world, credentials, serve } = production;
  const tls = attack === 'rewritten TLS files' ? await tlsFiles() : undefined;
  const { port, eppPort, stop } = await serve(
    tls && { TLS_KEY_FILE: tls.tlsKeyFile, TLS_CERTIFICATE_FILE: tls.tlsCertificateFile },
  );
  try {
    const load = { port, secure: tls !== undefined, calls: readsOf(world), perSecond: CALLS_PER_SECOND };
    await callAsRegistrars({ ...load, seconds: WARM_UP_SECONDS });
    const quiet = await callAsRegistrars({ ...load, seconds });
    const names = world.alpha.domains.map(({ name }) => name);
    const target: Target = { port, eppPort, credentials, names, ...(tls && { tls }) };
    const stopAttack = await startAttackProcess(attack, target);
    const meanwhile = await callAsRegistrars({ ...load, seconds }).finally(stopAttack);
    return { attack, quiet, meanwhile };
  } finally {
    await stop();
  }
}

async function tlsFiles() {
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

const HEAD = ['attack', 'quiet p99 ms', 'p99 ms meanwhile', 'longest ms', 'calls', 'failed', 'with'];
const countOf = ({ failures }: RegistrarOutcome) =>
  [...failures.values()].reduce((sum, count) => sum + count, 0);

function rowOf({ attack, quiet, meanwhile }: Endured): string[] {
  const kinds = [...meanwhile.failures].map(([kind, count]) => `${kind} × ${count}`);
  return [
    ...[attack, fixed(quantileOf(quiet, 0.99), 1), fixed(quantileOf(meanwhile, 0.99), 1)],
    ...[fixed(quantileOf(meanwhile, 1), 1), String(meanwhile.milliseconds.length)],
    ...[String(countOf(meanwhile)), kinds.join(', ')],
  ];
}

export const figuresOf = (work: string, endured: readonly Endured[]): readonly Figure[] =>
  endured.flatMap(({ attack, meanwhile }) => [
    {
      ...{ work, what: `ms at p99 of registrars' reads: ${attack}`, most: MAX_MS_UNDER_ATTACK },
      value: quantileOf(meanwhile, 0.99),
    },
    { work, what: `reads that failed: ${attack}`, value: countOf(meanwhile), most: 0 },
  ]);

const ATTACKS = 'attacks of hostile clients';
const SECONDS = 10;

/** On a server of its own, beside which nothing else is measured. */
export const hostileClients: Work = {
  name: ATTACKS,
  run: async () => figuresOf(ATTACKS, await endureAttacks(SECONDS, new Bar())),
};

/** Prints what registrars notice of each attack, and tells where it is more than it may be. */
export async function runHostile(seconds: number, bar: Bar): Promise<readonly string[]> {
  const endured = await endureAttacks(seconds, bar);
  const table: Table = [HEAD, ...endured.map(rowOf)];
  console.log(
    `${machineLine()}; ${CALLS_PER_SECOND} reads a second of ${USERS} registrars, ${seconds} s in quiet and ${seconds} s during each attack.\n\n${asMarkdown(table)}`,
  );
  return missesOf(figuresOf(ATTACKS, endured));
}
