import path from 'node:path';
import type { Billing } from '../billing/context.ts';
import { noProvider } from '../billing/provider/unconfigured-provider.ts';
import { print } from '../commands/terminal/output.ts';
import { SandboxSecondaries } from '../doors/dns/sandbox-secondaries.ts';
import { isOpened } from '../doors/own-port.ts';
import type { SandboxPowers } from '../doors/sandbox/controls.ts';
import { openDocumentServices } from '../doors/sandbox/documents/document-routes.ts';
import { Faults } from '../doors/sandbox/faults.ts';
import { sandboxMailer } from '../doors/sandbox/sandbox-mails.ts';
import { prepareSimulator } from '../doors/sandbox/provider/simulator.ts';
import { ownHosts } from '../doors/sandbox/request-guard.ts';
import { ReceivedMessages } from '../doors/sandbox/services.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { storedClock } from '../platform/clock/movable-clock.ts';
import { type Config, ConfigError, readConfig } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import { createHome } from '../platform/config/private-files.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { type Logger, openLog } from '../platform/logging.ts';
import { Metrics } from '../platform/metrics.ts';
import { type DatabaseTarget, openAsOwner, openDatabase } from '../platform/database/database.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { setLoginDefaults } from '../platform/database/login-defaults.ts';
import { migrate } from '../platform/migrations/migrate.ts';
import { policy } from '../policy/installed.ts';
import { rebuildZone } from '../registry/zones/rebuild-zone.ts';
import { readSerial } from '../registry/zones/zone-store.ts';
import { banner, type SandboxFacts } from './banner.ts';
import { assembleBilling } from './assemble-billing.ts';
import { simulatedIdentity } from './identity-settings.ts';
import { jobSettings } from './job-settings.ts';
import { openProvider, openSenders, serviceSecrets } from './open-outside-services.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { sandboxControls } from './sandbox-controls.ts';
import {
  recordSandboxCertificates,
  type SandboxEppIdentity,
  sandboxEppIdentity,
} from './sandbox-epp-identity.ts';
import { simulatedServices } from './sandbox-keys.ts';
import { callbacksOf, simulateProvider } from './sandbox-provider.ts';
import { seedDatabase } from './seed.ts';
import { simulatorAddresses } from './simulator-addresses.ts';
import { openSpanExporter } from './spans.ts';
import { startDoors } from './start-doors.ts';
import { databaseEvents } from './watch-database.ts';
import { openWebhookSender, webhookSettings } from './webhook-settings.ts';
import { startWorker } from './worker.ts';

export type RunningSandbox = SandboxFacts & {
  readonly loadExampleData: SandboxPowers['loadExampleData'];
  stop(): Promise<void>;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export type SandboxOptions = {
  readonly expose?: boolean;
  /** Whether it is filled with the example data first. */
  readonly exampleData?: boolean;
};

/** Runs the sandbox until it is stopped. */
export async function runSandbox({
  expose: exposed = false,
  exampleData = false,
}: SandboxOptions): Promise<void> {
  const config = readConfig('sandbox');
  await runUntilStopped(async () => {
    const sandbox = await startSandbox(config, exposed);
    const notes = exampleData
      ? [...sandbox.notes, exampleNote(await sandbox.loadExampleData())]
      : sandbox.notes;
    print(banner({ ...sandbox, notes }, config));
    return sandbox;
  });
}

/** Starts the whole product in this process, on an embedded database unless another is configured. */
async function startSandbox(config: Config, exposed: boolean): Promise<RunningSandbox> {
  for (const { setting, host } of [
    { setting: 'HOST', host: config.host },
    { setting: 'METRICS_HOST', host: config.metricsHost },
  ])
    if (!exposed && !LOOPBACK.test(host))
      throw new ConfigError(
        `${setting} is ${host}: the sandbox has public passwords and listens on loopback only, unless it is started with --expose.`,
      );
  if (config.tlsKeyFile !== undefined)
    throw new ConfigError(
      'The sandbox speaks plain HTTP: TLS_KEY_FILE and CERTIFICATES=direct are for serve.',
    );
  if (config.eppTlsKeyFile !== undefined)
    throw new ConfigError('The sandbox has certificates of its own: EPP_TLS_KEY_FILE is for serve.');
  const notes: string[] = [];
  await using parts = new AsyncDisposableStack();
  createHome(config.home);
  const { log, flush } = openLog(config.logLevel, path.join(config.home, 'logs', 'cadastre.log'));
  parts.defer(flush);
  const target = config.databaseUrl ?? (await startDatabase(config, parts, notes, log));
  const { stop, ...addresses } = await assembleSandbox(config, target, log, exposed);
  parts.defer(stop);
  const running = parts.move();
  return { ...addresses, notes, stop: () => running.disposeAsync() };
}

const exampleNote = (outcome: Awaited<ReturnType<SandboxPowers['loadExampleData']>>): string =>
  typeof outcome === 'string'
    ? outcome
    : `The example data is ${outcome.status}: ${outcome.domains} domains and ${outcome.contacts} contacts of ${outcome.registrar}.`;

async function startDatabase(config: Config, parts: AsyncDisposableStack, notes: string[], log: Logger) {
  const note = (sentence: string) => {
    notes.push(sentence);
    log.warn(sentence);
  };
  const embedded = await startEmbeddedPostgres(config.home, { note });
  parts.defer(() => embedded.stop());
  return embedded.address;
}

/** Assembles the product on a running database: migrated, seeded, with its jobs and its controls. */
export async function assembleSandbox(config: Config, target: DatabaseTarget, log: Logger, exposed = false) {
  await using parts = new AsyncDisposableStack();
  const owner = openAsOwner(config.ownerUrl ?? target);
  parts.defer(() => owner.close());
  const eppIdentity = await prepareDatabase(owner, config);
  const clock = await storedClock(owner);
  await setLoginDefaults(target, config, policy.timeZone);
  const spans = openSpanExporter(config, log);
  parts.defer(async () => spans?.close());
  const database = openDatabase(target, config, policy.timeZone, databaseEvents(log, config, spans));
  parts.defer(() => database.close());
  const metrics = new Metrics();
  const origin = new Origin(config);
  const faults = new Faults();
  const mailer = sandboxMailer(faults);
  const books = openAsOwner(config.ownerUrl ?? target);
  parts.defer(() => books.close());
  const simulator = simulateProvider({ sql: books, config, clock, faults, policy, origin, log });
  const provider = openProvider(config, simulatorAddresses(origin)) ?? noProvider;
  const billing = assembleBilling({ config, database, clock, policy, log, provider }, () => origin.url);
  await publishNewZones(database.writes);
  const webhooks = openWebhookSender({ config, database, log, metrics });
  parts.defer(() => webhooks.stop());
  const worker = await startWorker({
    database,
    clock,
    log,
    metrics,
    policy,
    mailer,
    billing,
    webhooks,
    ...jobSettings({ config, policy, database }, false),
    simulated: callbacksOf(simulator),
    senders: openSenders(config, simulatedServices(origin)),
    mailRetentionDays: undefined,
    isLimited: false,
    machineClock: wallClock,
  });
  parts.defer(() => worker.stop());
  const sandboxSecondaries = isOpened(config.dnsPort, config) ? new SandboxSecondaries() : undefined;
  const services = { received: new ReceivedMessages(), secrets: serviceSecrets(config) };
  const sandbox = sandboxControls({
    owner,
    database,
    clock,
    worker,
    faults,
    services,
    takers: openDocumentServices(config.einvoiceAuthPhrase),
    provider: simulator,
    identity: simulatedIdentity(config, origin),
    ownHosts: ownHosts({ ...config, exposed, port: () => origin.port }),
    policy,
    log,
    eppIdentity,
    example: exampleParts(config, billing, origin),
    secondaries: sandboxSecondaries,
  });
  const doors = await startDoors({
    config,
    database,
    clock,
    policy,
    log,
    metrics,
    origin,
    provider,
    sandbox,
    sandboxSecondaries,
    spans,
    eppIdentity,
  });
  parts.defer(() => doors.stop());
  const running = parts.move();
  return { ...doors, loadExampleData: sandbox.loadExampleData, stop: () => running.disposeAsync() };
}

const exampleParts = (config: Config, billing: Billing, origin: Origin) => ({
  billing,
  webhooks: webhookSettings(config),
  publicUrl: () => origin.urlForPeople,
  receivers: () => ({
    catches: `${origin.ownUrl}/sandbox/webhooks/catch`,
    fails: `${origin.ownUrl}/sandbox/webhooks/refuse`,
  }),
});

/** Migrates and seeds it. Returns the certificates of EPP, where it is open. */
async function prepareDatabase(owner: Pool, config: Config): Promise<SandboxEppIdentity | undefined> {
  const now = wallClock.now();
  await migrate(owner, 'sandbox', now);
  await seedDatabase(owner, policy, now);
  await prepareSimulator(owner);
  if (!isOpened(config.eppPort, config)) return undefined;
  const identity = await sandboxEppIdentity(config.home, now);
  await recordSandboxCertificates(owner, identity, policy, now);
  return identity;
}

/** A zone has no start of authority before it is published: the DNS port would not answer for it until the worker did. */
async function publishNewZones(pool: Pool): Promise<void> {
  for (const zone of policy.zones)
    if ((await readSerial(pool, zone.origin)) === undefined)
      await rebuildZone(pool, zone, policy, wallClock.now());
}
