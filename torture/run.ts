import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Finding } from '../src/ledger/check.ts';
import { classifyDatabaseError } from '../src/platform/sql/errors.ts';
import { sql } from '../test/support/sql.ts';
import { auditHeard, auditJournal } from './audit/journal.ts';
import { audit } from './auditor.ts';
import { othersLive } from './clients/others.ts';
import { payersLive } from './clients/payer.ts';
import { portalLives } from './clients/portal.ts';
import { registrarLives } from './clients/registrar.ts';
import { serviceLives } from './clients/service.ts';
import { Place } from './place.ts';
import { untilQuiet } from './quiet.ts';
import { Saboteur } from './saboteur.ts';
import { World } from './world.ts';

const HELP = `npm run torture -- [--minutes 10] [--kills 50] [--seed N]
  --minutes  how long clients and saboteur are at it
  --kills    how many processes are killed meanwhile, spread over that time
  --seed     what clients and saboteur plan follows from it; how their plans meet in time does not`;

const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

function readArguments() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      help: { type: 'boolean', default: false },
    },
  });
  const [minutes, kills, seed] = [Number(values.minutes), Number(values.kills), Number(values.seed)];
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error('--minutes must be above 0 and at most a day');
  if (!(Number.isInteger(kills) && kills >= 0)) throw new Error('--kills must be a whole number');
  if (!(Number.isInteger(seed) && seed >= 0)) throw new Error('--seed must be a whole number');
  return { minutes, kills, seed, help: values.help };
}

/** Everybody at once, until the saboteur has had enough. */
async function live(
  world: World,
  saboteur: Saboteur,
  plan: { minutes: number; kills: number },
): Promise<void> {
  const clients = [
    ...world.registrars.flatMap((registrar) =>
      [1, 2].map((number) => registrarLives(world, registrar, number)),
    ),
    ...[1, 2].map((number) => portalLives(world, number)),
    ...(['auction', 'eeid'] as const).map((service) => serviceLives(world, service)),
    ...[1, 2].map((number) => payersLive(world, number)),
    othersLive(world),
  ];
  // A client that fails for reasons of its own ends the run at once.
  await Promise.race([saboteur.work(plan), ...clients]);
  world.ended = true;
  await Promise.all(clients);
}

async function inspect(world: World): Promise<Finding[]> {
  const { place, journal } = world;
  const troubles = place.nodes.flatMap((node) => node.troubles());
  return place.withOwner(async (db) => [
    ...(await audit(db)),
    ...(await auditJournal(db, journal)),
    ...(await auditHeard(db, place.services.heard)),
    ...troubles.map((found) => ({
      finding: 'unforeseen in the log',
      subject: 'a node',
      expected: 'none',
      found,
    })),
  ]);
}

async function run(): Promise<number> {
  const { help, seed, ...plan } = readArguments();
  if (help) {
    console.log(HELP);
    return 0;
  }
  say(`seed ${seed}: ${plan.minutes} minutes, ${plan.kills} kills`);
  const place = await Place.open();
  const world = new World(place, seed);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say('told to stop');
      place.close(true).finally(() => process.exit(1));
    });
  // Our own connections are cut as well.
  process.on('unhandledRejection', (error) => {
    if (classifyDatabaseError(error) === undefined) throw error;
  });
  const saboteur = new Saboteur(world, say);
  let findings: Finding[] | undefined;
  try {
    await live(world, saboteur, plan);
    say('quiet');
    await untilQuiet(world);
    findings = await inspect(world);
    await report(world, saboteur, findings, plan.minutes);
  } finally {
    const isClean = findings?.length === 0;
    if (!isClean) writeFileSync(path.join(place.home, 'journal.json'), JSON.stringify(world.journal.intents));
    await place.close(!isClean);
    if (!isClean) say(`kept for a look: ${place.home}`);
  }
  return findings?.length === 0 ? 0 : 1;
}

async function report(world: World, saboteur: Saboteur, findings: readonly Finding[], minutes: number) {
  const { journal, seed, place } = world;
  console.log(JSON.stringify({ asked: journal.summary(), sabotage: saboteur.done }, null, 2));
  const held = await place.withOwner((db) =>
    db.rows(sql<{ count: number }>`select count(*)::int as count from held_payments where closed_at is null`),
  );
  for (const { finding, subject, expected, found } of findings.slice(0, 50))
    console.log(`${finding}: ${subject}\n  expected ${expected}\n  found    ${found}`);
  const attempts = journal.intents.reduce((sum, intent) => sum + intent.attempts.length, 0);
  console.log(
    `seed ${seed}, ${minutes} minutes, ${saboteur.kills} kills: ${journal.intents.length} intents in ${attempts} attempts, ` +
      `${place.services.heard.length} messages heard, ${held[0]?.count} payments held for a person, ${findings.length} findings`,
  );
}

process.exitCode = await run();
