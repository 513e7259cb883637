import os from 'node:os';
import { openEppSession } from '../doors/epp/session.ts';
import { type EppServer, type EppServerOptions, startEppServer } from '../doors/epp/wire/server.ts';
import type { EppPeer } from '../doors/epp/wire/session.ts';
import { registerTlsMetrics, TlsIdentity } from '../doors/http/tls.ts';
import type { Refusal } from '../operations/refusal.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';
import { trustedAuthorities } from '../registry/certificates/authorities.ts';
import { LEASE_RENEWAL_INTERVAL_MS, SessionLeases } from '../registry/sessions/session-leases.ts';
import { portsToTry } from './epp-ports.ts';
import type { ProductDependencies } from './product-dependencies.ts';
import type { RegistrarAccess } from './registrar-access.ts';

type Dependencies = ProductDependencies &
  RegistrarAccess & {
    /** Why no command can be carried out now. */
    readonly unavailable: () => Refusal | undefined;
  };

export type EppProduct = {
  readonly port: number;
  endSessions(reason: 'reset'): void;
  /** Answers the commands under way and closes all connections. */
  close(): Promise<void>;
};

const SERVER_NAME = 'Cadastre';
/** How soon a session of a revoked user ends, and a renewed certificate is used. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** Below the time after which a stop is given up; see run-until-stopped.ts. */
const DRAIN_TIMEOUT_MS = 15_000;

/** Listens for EPP over TLS, and keeps the leases of its sessions. */
export async function startEpp(parts: Dependencies): Promise<EppProduct> {
  const { config, database, log, metrics, origin, supervised } = parts;
  const leases = new SessionLeases(database, {
    sessionsPerRegistrar: config.eppSessionsPerRegistrar,
    certificates: config.eppCertificates,
    server: `${os.hostname()}:${process.pid}`,
    onEnded: (reason, why, { id, principal, client }) =>
      log.info(
        { session: id, user: principal.username, address: client.address, reason, why },
        'EPP session ended',
      ),
  });
  const identity = await tlsIdentity(parts);
  const options = {
    ...{ identity: identity.options, trustedProxies: config.trustedProxies },
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    idleTimeoutMs: config.eppIdleTimeoutMs,
    ended: (reason: string) => metrics.eppConnectionsEnded.inc({ reason }),
    openSession: (peer: EppPeer) =>
      openEppSession(
        {
          ...parts,
          ...{ leases, publicUrl: () => origin.url, serverName: SERVER_NAME },
          ...{ certificates: config.eppCertificates, answerTimeoutMs: config.answerTimeoutMs },
        },
        peer,
      ),
  };
  const servers = await listen(options, config, { reusePort: supervised !== undefined, log });
  const [{ port }] = servers;
  const tasks = [
    new IntervalTask(CHANGE_CHECK_INTERVAL_MS, log, async () => {
      await leases.endRevoked();
      await identity.refresh(all(servers), log);
    }).start(),
    new IntervalTask(LEASE_RENEWAL_INTERVAL_MS, log, () => leases.renew()).start(),
  ];
  metrics.watch('cadastre_epp_sessions', 'EPP sessions of users that are logged in', () => leases.size);
  metrics.watch('cadastre_epp_connections', 'EPP connections', () =>
    servers.reduce((sum, { connections }) => sum + connections(), 0),
  );
  registerTlsMetrics(metrics, identity, 'cadastre_epp_certificate_expiry_timestamp_seconds');
  return {
    port,
    endSessions: (reason) => leases.endAll(reason),
    close: async () => {
      await Promise.all(servers.map(({ drain }) => drain(DRAIN_TIMEOUT_MS)));
      await Promise.all(tasks.map((task) => task.stop()));
      await leases.close().catch((error) => log.warn({ err: error }, 'EPP sessions were not deleted'));
    },
  };
}

type Servers = readonly [EppServer, ...EppServer[]];
type Options = Omit<EppServerOptions, 'host' | 'port'>;

/** A new identity is for all of them. */
const all = (servers: Servers): Pick<EppServer, 'setSecureContext'> => ({
  setSecureContext: (identity) => {
    for (const server of servers) server.setSecureContext(identity);
  },
});

/** `localhost` resolves to both addresses of loopback; a machine without IPv6 needs no second listener. */
async function listen(
  options: Options,
  { host, mode, ...config }: Config,
  { reusePort, log }: { readonly reusePort: boolean; readonly log: Logger },
): Promise<Servers> {
  const server = await listenOnFirst(portsToTry(config), { ...options, host, reusePort });
  if (mode !== 'sandbox' || host !== '127.0.0.1') return [server];
  const second = await startEppServer({ ...options, host: '::1', port: server.port }).catch((error) =>
    log.warn({ err: error }, 'the sandbox does not listen on ::1 for EPP'),
  );
  return second ? [server, second] : [server];
}

/** On the first of these ports that is free. */
async function listenOnFirst(
  [port = 0, ...others]: readonly number[],
  options: Omit<EppServerOptions, 'port'>,
): Promise<EppServer> {
  try {
    return await startEppServer({ ...options, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    if (others.length > 0) return listenOnFirst(others, options);
    throw new ConfigError(`The port is taken (${message}). Set EPP_PORT to another one.`);
  }
}

/** Clients are sent the accepted CAs, so that they can choose the certificate to present. */
function tlsIdentity({ config, database, log, eppIdentity }: ProductDependencies): Promise<TlsIdentity> {
  const ownKey = config.eppTlsKeyFile !== undefined;
  const files = eppIdentity?.server ?? {
    key: (ownKey ? config.eppTlsKeyFile : config.tlsKeyFile) ?? '',
    certificate: (ownKey ? config.eppTlsCertificateFile : config.tlsCertificateFile) ?? '',
  };
  const authorities = async () =>
    (await trustedAuthorities(database.reads)).map((authority) => authority.certificate);
  const names = ownKey ? 'EPP_TLS_KEY_FILE and EPP_TLS_CERTIFICATE_FILE' : undefined;
  return TlsIdentity.read(files, authorities, log, names);
}
