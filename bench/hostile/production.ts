import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DoorName } from '../../src/app/product-dependencies.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { dataDirectoryOf } from '../../src/embedded-postgres/cluster-location.ts';
import {
  type EmbeddedAddress,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.ts';
import { findPostmaster } from '../../src/embedded-postgres/postmaster.ts';
import { createUser } from '../../src/registry/users/create-user.ts';
import { createToken } from '../../src/reservations/create-token.ts';
import type { Population } from '../../test/performance/population.ts';
import type { Credentials } from '../../test/support/attacks/attack.ts';
import { TRUSTED_PROXY } from '../../test/support/attacks/raw-connection.ts';
import { tokenOf } from '../../test/support/billing.ts';
import { inFiles, selfSigned } from '../../test/support/certificates.ts';
import { connectAsOwner } from '../../test/support/connect-as-owner.ts';
import { freePort } from '../../test/support/free-port.ts';
import { operator } from '../../test/support/operator.ts';
import type { Bar } from '../progress.ts';
import { authorizationOf, fewRegistrars, loadWorld, type World } from '../world.ts';

const COMMAND = fileURLToPath(new URL('../../cadastre', import.meta.url));
const START_TIMEOUT_MS = 60_000;
/** A server that an attack has stopped does not end when it is told to. */
const STOP_TIMEOUT_MS = 3_000;
const DOMAINS = 1_000;
const PORTAL_TOKEN = 'hostile-portal-token';
const BILLING_SECRET = 'hostile-billing-secret';
const BULK_USER = { username: 'hostile-bulk', password: 'hostile-bulk-password' };
const BILLING_USER = { username: 'hostile-billing', password: 'hostile-billing-password' };

/** Registrars whose credentials attackers have, besides ALPHA. */
const HOSTILE = Array.from({ length: 8 }, (_, index) => `HOSTILE${index + 1}`);
const withHostile = (population: Population): Population => ({
  ...population,
  registrars: [...population.registrars, ...HOSTILE],
  shares: {
    ...population.shares,
    ...Object.fromEntries(HOSTILE.map((code) => [code, { contacts: 1, domains: 1 }])),
  },
});

export type Working = { readonly pid: number; stop(): Promise<void> };
export type Serving = Working & {
  readonly port: number;
  readonly eppPort: number;
  readonly dnsPort: number;
  readonly whoisPort: number;
  readonly metricsUrl: string;
};
export type Production = {
  readonly world: World;
  readonly credentials: Credentials;
  /**
   * `cadastre serve` with default settings, besides those given, the keys of the two closed APIs, and EPP without client
   * certificates; with all doors if none are named.
   */
  serve(env?: Readonly<Record<string, string>>, doors?: readonly DoorName[]): Promise<Serving>;
  /** `cadastre work` with these settings besides; returns without waiting for it. */
  work(env?: Readonly<Record<string, string>>): Working;
  /** Any other command, as a process of its own. */
  start(args: readonly string[], output: StdioOptions): ChildProcess;
  readonly address: EmbeddedAddress;
  readonly databasePid: number | undefined;
  stop(): Promise<void>;
};

/** A production installation on an embedded database, with a few registrars in it. */
export async function startProduction(
  bar: Bar,
  {
    place = os.tmpdir(),
    hasQuickPasswords = false,
    population = withHostile(fewRegistrars(DOMAINS, 1)),
  } = {},
): Promise<Production> {
  const home = mkdtempSync(path.join(place, 'cadastre-hostile-'));
  chmodSync(home, 0o711); // as root the database runs under another account, which must be able to come in
  const server = await startEmbeddedPostgres(home);
  const stop = async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const { host, port, username, database } = server.address;
    const { tlsKeyFile, tlsCertificateFile } = await inFiles(await selfSigned('localhost'));
    const { PATH = '', TMPDIR, NODE_COMPILE_CACHE } = process.env; // nothing else of the surroundings may change what is started
    const settings = {
      PATH,
      ...(TMPDIR && { TMPDIR }),
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      CADASTRE_HOME: home,
      DATABASE_URL: `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      PORTAL_ALLOWED_IPS: '127.0.0.0/8',
      BILLING_SECRET_AUCTION: BILLING_SECRET,
      EPP_TLS_KEY_FILE: tlsKeyFile,
      EPP_TLS_CERTIFICATE_FILE: tlsCertificateFile,
      EPP_CERTIFICATES: 'optional',
      TRUSTED_PROXIES: TRUSTED_PROXY,
    };
    await promisify(execFile)(COMMAND, ['migrate'], { env: settings });
    const world = await loadWorld(server.address, { ...population, hasQuickPasswords }, bar);
    const db = await connectAsOwner(server.address);
    const loader = operator({ actor: 'loader' });
    await carryOut(db, createUser, { ...BULK_USER, registrar: 'ALPHA', roles: ['super'] }, loader);
    await carryOut(db, createUser, { ...BILLING_USER, registrar: 'ALPHA', roles: ['billing'] }, loader);
    await carryOut(db, createToken, { name: 'portal', token: PORTAL_TOKEN }, loader);
    await db.close();
    const credentials = {
      registrar: world.alpha.authorization,
      others: HOSTILE.filter((code) => population.registrars.includes(code)).map(authorizationOf),
      bulkUser: basic(BULK_USER),
      billingUser: basic(BILLING_USER),
      portal: `Bearer ${PORTAL_TOKEN}`,
      billingService: `Bearer ${await tokenOf('auction', BILLING_SECRET)}`,
    };
    return {
      world,
      credentials,
      address: server.address,
      stop,
      databasePid: findPostmaster(dataDirectoryOf(home))?.pid,
      serve: (env = {}, doors = []) => serve({ ...settings, ...env }, doors),
      work: (env = {}) => work({ ...settings, ...env }),
      start: (args, stdio) => spawn(COMMAND, args, { env: settings, stdio }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const basic = ({ username, password }: typeof BILLING_USER): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

async function serve(env: Readonly<Record<string, string>>, doors: readonly DoorName[]): Promise<Serving> {
  const [port, metricsPort, eppPort] = [await freePort(), await freePort(), await freePort()];
  const [dnsPort, whoisPort] = [Number(env.DNS_PORT ?? (await freePort())), await freePort()];
  const ports = {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    EPP_PORT: String(eppPort),
    DNS_PORT: String(dnsPort),
    WHOIS_PORT: String(whoisPort),
  };
  const child = spawn(COMMAND, ['serve', ...(doors.length > 0 ? ['--doors', doors.join()] : [])], {
    env: { ...env, ...ports, SHUTDOWN_DELAY_MS: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid, stop } = ending(child);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (await isHealthy(port, env.TLS_KEY_FILE !== undefined))
      return {
        pid,
        port,
        eppPort,
        dnsPort,
        whoisPort,
        stop,
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      };
    await sleep(30);
  }
  await stop();
  throw new Error('cadastre serve does not answer');
}

function work(env: Readonly<Record<string, string>>): Working {
  return ending(
    spawn(COMMAND, ['work'], { env: { ...env, METRICS_PORT: '0' }, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
}

/** It ends with this process, if not before. */
function ending(child: ChildProcess): Working {
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const ended = once(child, 'exit').then(() => process.off('exit', endWithUs));
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(endWithUs, STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, stop };
}

const isHealthy = (port: number, secure: boolean): Promise<boolean> =>
  new Promise((resolve) => {
    (secure ? https : http)
      .get({ host: '127.0.0.1', port, path: '/health', rejectUnauthorized: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
      .on('error', () => resolve(false));
  });
