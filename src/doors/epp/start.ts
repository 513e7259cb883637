import os from 'node:os';
import type { Refusal } from '../../operations/refusal.ts';
import { IntervalTask } from '../../platform/concurrency/interval-task.ts';
import type { RateLimits, RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Authenticator } from '../../registry/access/authenticator.ts';
import { readKnownAddresses } from '../../registry/access/login-addresses.ts';
import type { CallCounts } from '../../registry/activity/call-counts.ts';
import { trustedAuthorities } from '../../registry/certificates/authorities.ts';
import { LEASE_RENEWAL_INTERVAL_MS, SessionLeases } from '../../registry/sessions/session-leases.ts';
import type { DoorDependencies, OpenDoor } from '../door.ts';
import { registerTlsMetrics, type TlsFiles, TlsIdentity } from '../http/tls.ts';
import { listenOn, portsToTry } from '../own-port.ts';
import { openEppSession } from './epp-session.ts';
import { type EppServer, startEppServer } from './wire/epp-server.ts';
import type { EppPeer } from './wire/session-handler.ts';

type Dependencies = DoorDependencies & {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RequestLimiter<number>;
  readonly rateLimits: RateLimits;
  readonly calls: CallCounts;
  /** Why no command can be carried out now. */
  readonly unavailable: () => Refusal | undefined;
  /** Whether several processes listen on the port. */
  readonly isShared?: boolean;
  /** Of the sandbox, whose key and certificate are no settings. */
  readonly ownFiles?: TlsFiles | undefined;
};

const SERVER_NAME = 'Cadastre';
/** How soon a session of a revoked user ends, and a renewed certificate is used. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** Below the time after which a stop is given up. */
const DRAIN_TIMEOUT_MS = 15_000;
const DEFAULT_PORT = 8700;

/** Listens for EPP over TLS, and keeps the leases of its sessions. */
export async function startEpp(parts: Dependencies): Promise<OpenDoor & { readonly port: number }> {
  const { config, database, log, metrics, origin, isShared = false } = parts;
  const leases = new SessionLeases(database, {
    sessionsPerRegistrar: config.eppSessionsPerRegistrar,
    certificates: config.eppCertificates,
    server: `${os.hostname()}:${process.pid}`,
    onEnded: (reason, detail, { id, principal, client }) =>
      log.info(
        { session: id, user: principal.username, address: client.address, reason, detail },
        'EPP session ended',
      ),
  });
  const identity = await tlsIdentity(parts);
  const otherFrames = parts.rateLimits.limiter('EPP frames beside commands', config.rateLimitPerMinute);
  const options = {
    identity: identity.options,
    trustedProxies: config.trustedProxies,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    knownAddresses: await readKnownAddresses(database.reads),
    idleTimeoutMs: config.eppIdleTimeoutMs,
    ended: (reason: string) => metrics.eppConnectionsEnded.inc({ reason }),
    openSession: (peer: EppPeer) =>
      openEppSession(
        {
          ...parts,
          otherFrames,
          leases,
          publicUrl: () => origin.url,
          serverName: SERVER_NAME,
          certificates: config.eppCertificates,
          answerTimeoutMs: config.answerTimeoutMs,
        },
        peer,
      ),
  };
  const ports = portsToTry(config.eppPort, DEFAULT_PORT, config);
  const servers = await listenOn({ setting: 'EPP_PORT', ports, config, log }, (at) =>
    startEppServer({ ...options, ...at, isShared }),
  );
  const [{ port }] = servers;
  const tasks = [
    new IntervalTask('end revoked EPP sessions', CHANGE_CHECK_INTERVAL_MS, log, async () => {
      await leases.endRevoked();
      await identity.refresh(all(servers));
    }).start(),
    new IntervalTask('renew leases of EPP sessions', LEASE_RENEWAL_INTERVAL_MS, log, () =>
      leases.renew(),
    ).start(),
  ];
  metrics.watch('cadastre_epp_sessions', 'EPP sessions of users that are logged in', () => leases.size);
  metrics.watch('cadastre_epp_connections', 'EPP connections', () =>
    servers.reduce((sum, { connections }) => sum + connections(), 0),
  );
  registerTlsMetrics(metrics, identity, 'cadastre_epp_certificate_expiry_timestamp_seconds');
  return {
    port,
    forget: () => leases.endAll('reset'),
    reload: () => identity.reload(all(servers)),
    drain: async () => void (await Promise.all(servers.map(({ drain }) => drain(DRAIN_TIMEOUT_MS)))),
    close: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
      await leases.close().catch((error) => log.warn({ err: error }, 'EPP sessions were not deleted'));
    },
  };
}

type Servers = readonly [EppServer, ...EppServer[]];

/** A new identity is for all of them. */
const all = (servers: Servers): Pick<EppServer, 'setSecureContext'> => ({
  setSecureContext: (identity) => {
    for (const server of servers) server.setSecureContext(identity);
  },
});

/** Clients are sent the accepted CAs, so that they can choose the certificate to present. */
function tlsIdentity({ config, database, log, ownFiles }: Dependencies): Promise<TlsIdentity> {
  const ownKey = config.eppTlsKeyFile !== undefined;
  const files = ownFiles ?? {
    key: (ownKey ? config.eppTlsKeyFile : config.tlsKeyFile) ?? '',
    certificate: (ownKey ? config.eppTlsCertificateFile : config.tlsCertificateFile) ?? '',
  };
  const authorities = async () =>
    (await trustedAuthorities(database.reads)).map((authority) => authority.certificate);
  const settingNames = ownKey ? 'EPP_TLS_KEY_FILE and EPP_TLS_CERTIFICATE_FILE' : undefined;
  return TlsIdentity.read(files, authorities, log, { door: 'EPP', settingNames });
}
