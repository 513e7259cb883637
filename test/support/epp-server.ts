import { rm } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { openRegistrarAccess } from '../../src/app/registrar-access.ts';
import { noProvider } from '../../src/billing/provider/unconfigured-provider.ts';
import { startEpp } from '../../src/doors/epp/start.ts';
import type { Refusal } from '../../src/operations/refusal.ts';
import { createAuthority } from '../../src/platform/certificates/authority.ts';
import { type Clock, wallClock } from '../../src/platform/clock/clock.ts';
import { ownRateLimits } from '../../src/platform/concurrency/rate-limiter.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { Origin } from '../../src/platform/config/origin.ts';
import { createLog } from '../../src/platform/logging.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { Policy } from '../../src/policy/policy.ts';
import {
  type Identity,
  inFiles,
  ownAuthority,
  revokeSerial,
  serverIdentity,
  signedFor,
} from './certificates.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { EppClient } from './epp.ts';
import { createTestDatabase, keptLog } from './registry.ts';

type Options = {
  readonly policy?: Policy;
  readonly certificates?: 'required' | 'optional';
  readonly settings?: Partial<Config>;
  readonly clock?: Clock;
  /** Why no command can be carried out now. */
  readonly unavailable?: () => Refusal | undefined;
};

export type EppUser = 'alpha' | 'beta' | 'poor';
const passwordOf = (user: EppUser): string => `${user}-sandbox-password`;

/** EPP as `serve` opens it, on a database of its own with the sandbox's seed, under a policy of the test's own. */
export async function startEppServerForTest({
  policy = ee,
  certificates = 'optional',
  ...options
}: Options = {}) {
  const { name, drop } = await createTestDatabase();
  const target = { ...inject('server'), database: name };
  const db = await connectAsOwner(target);
  const authority = await ownAuthority(db);
  const localhost = [
    { type: 'dns', value: 'localhost' } as const,
    { type: 'ip', value: '127.0.0.1' } as const,
  ];
  const files = await inFiles(await serverIdentity(authority, localhost));
  const config: Config = {
    ...readConfig('production', {}),
    port: 0,
    metricsPort: 0,
    eppPort: 0,
    eppCertificates: certificates,
    eppSessionsPerRegistrar: 100,
    readConnections: 1,
    listConnections: 1,
    writeConnections: 2,
    rateLimitPerMinute: 100_000,
    eppTlsKeyFile: files.tlsKeyFile,
    eppTlsCertificateFile: files.tlsCertificateFile,
    ...options.settings,
  };
  const { sink, logged } = keptLog();
  const { clock = wallClock, unavailable = () => undefined } = options;
  const clients = new Set<EppClient>();

  const identities = {
    alpha: await signedFor(db, authority, 'alpha'),
    beta: await signedFor(db, authority, 'beta'),
    poor: await signedFor(db, authority, 'poor'),
  };

  /** A process of its own, as far as it concerns the database. */
  async function start() {
    const database = openDatabase(target, config, policy.timeZone);
    const dependencies = {
      config,
      database,
      clock,
      policy,
      log: createLog('info', sink),
      metrics: new Metrics(),
      origin: new Origin(config),
      provider: noProvider,
    };
    const access = openRegistrarAccess(dependencies, ownRateLimits);
    const epp = await startEpp({ ...dependencies, ...access, rateLimits: ownRateLimits, unavailable });
    const stop = async () => {
      await epp.drain?.();
      await epp.close?.();
      await database.close();
    };
    const connect = async (identity?: Identity): Promise<EppClient> => {
      const client = await EppClient.connect({ port: epp.port, ca: authority.certificate, ...identity });
      clients.add(client);
      client.socket.once('close', () => clients.delete(client));
      return client;
    };
    const logIn = async (user: EppUser, identity: Identity = identities[user]): Promise<EppClient> => {
      const client = await connect(identity);
      const answer = await client.logIn(user, passwordOf(user));
      if (answer.code !== 1000) throw new Error(`The login of ${user} was refused:\n${answer.frame}`);
      return client;
    };
    return { port: epp.port, connect, logIn, stop, [Symbol.asyncDispose]: stop };
  }

  const server = await start();
  return {
    ...server,
    ca: authority.certificate,
    authority,
    identities,
    sql: db,
    logged,
    startAnother: start,
    revoke: (serial: string) => revokeSerial(db, serial),
    /** A certificate of an authority that the registry does not know. */
    foreignIdentity: async (user: string): Promise<Identity> => {
      const from = new Date(Date.now() - 86_400_000);
      const foreign = await createAuthority('Other', { from, until: new Date(Date.now() + 86_400_000) });
      return serverIdentity(foreign, [{ type: 'dns', value: user }]);
    },
    stop: async () => {
      await Promise.all([...clients].map((client) => client.close()));
      await server.stop();
      await db.close();
      await drop();
      await rm(path.dirname(files.tlsKeyFile), { recursive: true });
    },
  };
}

export type EppTestServer = Awaited<ReturnType<typeof startEppServerForTest>>;
