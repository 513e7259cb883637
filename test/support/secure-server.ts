import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { inject } from 'vitest';
import { startDoors } from '../../src/app/start-doors.ts';
import { noProvider } from '../../src/billing/provider/unconfigured-provider.ts';
import type { Clock } from '../../src/platform/clock/clock.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { Origin } from '../../src/platform/config/origin.ts';
import { createLog } from '../../src/platform/logging.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { Identity } from './certificates.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { createTestDatabase, keptLog } from './registry.ts';

/** The server as `serve` starts it, on a database of its own with the sandbox's seed. A restart forgets what was in memory. */
export async function startServer(settings: Partial<Config>, clock: Clock) {
  const { name, drop } = await createTestDatabase();
  const target = { ...inject('server'), database: name };
  const config: Config = {
    ...readConfig('production', {}),
    port: 0,
    metricsPort: 0,
    shutdownDelayMs: 0,
    readConnections: 1,
    listConnections: 1,
    writeConnections: 2,
    ...settings,
  };
  const database = openDatabase(target, config, ee.timeZone);
  const { sink, logged } = keptLog();
  const start = () =>
    startDoors({
      config,
      database,
      clock,
      policy: ee,
      log: createLog('info', sink),
      metrics: new Metrics(),
      origin: new Origin(config),
      provider: noProvider,
    });
  let http = await start();
  const db = await connectAsOwner(target);
  return {
    sql: db,
    logged,
    get url() {
      return http.url;
    },
    restart: async () => {
      await http.stop();
      http = await start();
    },
    stop: async () => {
      await http.stop();
      await database.close();
      await db.close();
      await drop();
    },
  };
}

export type SecureServer = Awaited<ReturnType<typeof startServer>>;

export type SecureReply = {
  readonly status: number;
  readonly body: { code: number; message: string };
  /** Of the server, as this connection was shown it. */
  readonly shown: string;
  readonly resumed: boolean;
};

/** A client that shows a certificate, or none, and keeps its connection. */
export function secureClient(
  url: string,
  identity: Identity | undefined,
  credentials: string,
  keepAlive = true,
) {
  const agent = new https.Agent({ keepAlive, maxSockets: 1, rejectUnauthorized: false, ...identity });
  const get = (path: string, headers: Record<string, string> = {}): Promise<SecureReply> =>
    new Promise((resolve, reject) => {
      const request = https.get(`${url}${path}`, { agent, auth: credentials, headers }, (response) => {
        const socket = response.socket as TLSSocket;
        const shown = socket.getPeerCertificate().fingerprint256;
        const resumed = socket.isSessionReused();
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ status: response.statusCode ?? 0, body, shown, resumed });
        });
      });
      request.on('error', reject);
    });
  return { get, close: () => agent.destroy() };
}
