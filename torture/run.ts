import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Finding } from '../src/ledger/check-ledger.ts';
import { storedClock } from '../src/platform/clock/movable-clock.ts';
import { classifyDatabaseError } from '../src/platform/database/database-errors.ts';
import { sql } from '../test/support/sql.ts';
import { auditDeadlines, type DeadlineOf, unsettledEffects } from './audit/deadlines.ts';
import { auditEppHistory, auditLeftSessions, auditSessions } from './audit/epp.ts';
import { auditDeliveries, auditJournal } from './audit/journal.ts';
import { auditBegunJobs } from './audit/bulk-jobs.ts';
import { countMoneyMessages } from './audit/money-messages.ts';
import { auditReaders } from './audit/feed.ts';
import { auditProcesses } from './audit/processes.ts';
import { auditReads } from './audit/reads.ts';
import { auditReceived, auditReceiver } from './audit/webhooks.ts';
import { audit } from './auditor.ts';
import { runEarlyTimeoutClient } from './clients/early-timeouts.ts';
import { runEppClient } from './clients/epp.ts';
import { runLookupClient } from './clients/looker.ts';
import { runFeedReader } from './clients/feed-reader.ts';
import { runOperator } from './clients/operator.ts';
import { runPayers } from './clients/payer.ts';
import { runPortalClient } from './clients/portal.ts';
import { runRegistrants } from './clients/registrant.ts';
import { runRegistrarClient } from './clients/registrar.ts';
import { runServiceClient } from './clients/service.ts';
import { runSupport } from './clients/support.ts';
import { whyNoMount } from './database/small-disk.ts';
import { runFailovers } from './failover/run-failovers.ts';
import { HELP, readOptions } from './options.ts';
import { Place } from './place.ts';
import { untilQuiet } from './quiet.ts';
import { chooseSabotage } from './sabotage/catalogue.ts';
import { type Plan, Saboteur } from './saboteur.ts';
import { World } from './world.ts';

const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** The first registrar has its events sent to a receiver that never fails, the second to one that does. */
async function subscribe({ place, registrars: [first, second] }: World): Promise<void> {
  const endpoints = [
    { registrar: first, url: place.services.eventsUrl },
    { registrar: second, url: place.receiver.url },
  ];
  for (const { registrar, url } of endpoints) {
    const answer = await fetch(`${place.nodes[0].url}/registry/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: registrar?.authorization ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ webhook: { url } }),
    });
    if (answer.status !== 200) throw new Error(`an endpoint was answered ${answer.status}`);
    await answer.body?.cancel();
  }
}

/** Runs all clients concurrently until the saboteur has finished. */
async function live(world: World, saboteur: Saboteur, plan: Plan): Promise<void> {
  const clients = [
    ...world.registrars.flatMap((registrar) =>
      [1, 2].map((number) => runRegistrarClient(world, registrar, number)),
    ),
    ...world.registrars.flatMap((registrar) =>
      (['ietf', 'ee'] as const).map((dialect) => runEppClient(world, registrar, dialect)),
    ),
    ...[1, 2].map((number) => runPortalClient(world, number)),
    ...(['auction', 'eeid'] as const).map((service) => runServiceClient(world, service)),
    ...[1, 2].map((number) => runPayers(world, number)),
    runRegistrants(world),
    runOperator(world),
    ...(['alpha', 'beta'] as const).map((person) => runSupport(world, person)),
    runLookupClient(world),
    ...world.registrars.map((registrar) => runFeedReader(world, registrar)),
    runEarlyTimeoutClient(world),
  ];
  // An error of a client itself ends the run immediately.
  await Promise.race([saboteur.work(plan), ...clients]);
  world.ended = true;
  await Promise.all(clients);
}

/** Bulk calls have ten times as long; a request comes to a busy node a moment after it was sent. */
const BULK: readonly string[] = ['renew many', 'transfer many', 'replace nameserver', 'replace tech'];
const ARRIVAL_MS = 2_000;
const deadlineAfter =
  (deadlineMs: number): DeadlineOf =>
  (what) =>
    ARRIVAL_MS + (BULK.includes(what) ? 10 : 1) * deadlineMs;

const livesOf = ({ place }: World) => place.nodes.flatMap(({ lives }) => lives);

async function inspect(world: World, deadlineMs: number): Promise<Finding[]> {
  const { place, journal } = world;
  const unexpectedErrors = place.nodes.flatMap((node) => node.unexpectedErrors());
  const lives = livesOf(world);
  return place.withOwner(async (db) => [
    ...(await audit(db)),
    ...(await auditJournal(db, journal)),
    ...(await auditDeadlines(db, journal, deadlineAfter(deadlineMs))),
    ...(await auditReads(db, journal)),
    ...(await auditReaders(db, journal.feeds, (await storedClock(db)).now())),
    ...(await auditBegunJobs(db, journal.bulkJobs)),
    ...(await auditEppHistory(db, journal)),
    ...(await auditSessions(db, lives)),
    ...(await auditDeliveries(db, place.services.delivered)),
    ...(await auditReceived(db, new Set([...place.services.events, ...place.receiver.accepted]))),
    ...auditReceiver(place.receiver),
    ...auditProcesses(lives),
    ...unexpectedErrors.map((found) => ({
      finding: 'unforeseen in the log',
      subject: 'a node',
      expected: 'none',
      found,
    })),
  ]);
}

/** A run grows by about 3 MB in a minute. */
const DISK_MB = 256;
const DISK_MB_PER_MINUTE = 6;

function makeHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-torture-'));
  chmodSync(home, 0o711); // as root the database runs under another account, which needs access
  return home;
}

/** What this machine does not allow, and why. */
function examineMachine(home: string): Parameters<typeof chooseSabotage>[1] {
  const whyNoDisk = whyNoMount(path.join(home, 'trial'));
  return {
    ...(whyNoDisk !== undefined && { 'small disks': whyNoDisk }),
    ...(process.platform !== 'linux' && { 'process tree': 'the processes of PostgreSQL are found in /proc' }),
  };
}

async function run(): Promise<number> {
  const { help, failover, seed, plan, sabotage, addressMode, deadlineMs } = readOptions();
  if (help) {
    console.log(HELP);
    return 0;
  }
  const home = makeHome();
  if (failover) return (await runFailovers(home, failover, say)) ? 0 : 1;
  const { names, skipped } = chooseSabotage(sabotage, examineMachine(home));
  say(`seed ${seed}: ${plan.minutes} minutes, ${plan.kills} kills, address ${addressMode}`);
  for (const [name, reason] of Object.entries(skipped)) say(`skipped: ${name}, ${reason}`);
  const place = await Place.open(home, deadlineMs, {
    addressMode,
    hasStandby: names.includes('failOver'),
    ...((names.includes('fillDisk') || names.includes('fillWal')) && {
      dataDiskMb: DISK_MB + Math.ceil(plan.minutes * DISK_MB_PER_MINUTE),
    }),
  });
  const world = new World(place, seed);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say('asked to stop');
      place.close(true).finally(() => process.exit(1));
    });
  // Our own connections are cut as well.
  process.on('unhandledRejection', (error) => {
    if (classifyDatabaseError(error) === undefined) throw error;
  });
  const saboteur = new Saboteur(world, names, say);
  let findings: Finding[] | undefined;
  try {
    await subscribe(world);
    await live(world, saboteur, plan);
    const left = await place.withOwner((db) => auditLeftSessions(db, livesOf(world)));
    say('quiet');
    await untilQuiet(world);
    findings = [...left, ...(await inspect(world, deadlineMs))];
    await report(world, saboteur, skipped, findings);
    console.log(
      `seed ${seed}, ${plan.minutes} minutes, ${saboteur.kills} kills, address ${addressMode}: ${await summary(world)}, ${findings.length} findings`,
    );
  } finally {
    const isClean = findings?.length === 0;
    if (!isClean) writeFileSync(path.join(place.home, 'journal.json'), JSON.stringify(world.journal.intents));
    await place.close(!isClean);
    if (!isClean) say(`kept for a look: ${place.home}`);
  }
  return findings?.length === 0 ? 0 : 1;
}

async function report(world: World, saboteur: Saboteur, skipped: object, findings: readonly Finding[]) {
  const { journal, place } = world;
  const { unsettled, money } = await place.withOwner(async (db) => ({
    unsettled: await unsettledEffects(db, journal),
    money: await countMoneyMessages(db),
  }));
  const { done, met } = saboteur;
  console.log(
    JSON.stringify(
      {
        asked: journal.summary(),
        sabotage: { done, met, skipped, events: place.receiver.met },
        answers: journal.delays(),
        unsettled,
        money,
      },
      null,
      2,
    ),
  );
  for (const { finding, subject, expected, found } of findings.slice(0, 50))
    console.log(`${finding}: ${subject}\n  expected ${expected}\n  found    ${found}`);
}

async function summary({ journal, place }: World): Promise<string> {
  const held = await place.withOwner((db) =>
    db.rows(sql<{ count: number }>`select count(*)::int as count from held_payments where closed_at is null`),
  );
  const attempts = journal.intents.reduce((sum, intent) => sum + intent.attempts.length, 0);
  return (
    `${journal.intents.length} intents in ${attempts} attempts, ${journal.domainReads.length + journal.listReads.length} reads, ${journal.lookups.length} look-ups, ${journal.bulkJobs.length} bulk jobs, ` +
    `${place.services.delivered.length} messages received by services, ${place.services.events.size + place.receiver.accepted.size} events received, ${held[0]?.count} payments held for a person`
  );
}

process.exitCode = await run();
