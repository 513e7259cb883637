import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { BACKLOG } from '../../../platform/backlog.ts';
import { keepOnePiece } from '../../../platform/node-net.ts';
import { type EppConnectionOptions, EppConnections } from './epp-connections.ts';

export type { EppAnswer, EppPeer, EppSession } from './session-handler.ts';

const KEEP_ALIVE_DELAY_MS = 60_000;

export type EppServerOptions = EppConnectionOptions & {
  readonly port: number;
  readonly host: string;
  readonly reusePort?: boolean;
};

export type EppServer = {
  readonly port: number;
  readonly connections: () => number;
  /** For new connections. */
  readonly setSecureContext: (identity: SecureContextOptions) => void;
  /** Ends every connection, each after the answer to its running command. */
  readonly endAll: (reason: string) => void;
  /** Accepts no more connections, and resolves when all are closed; those left after the timeout are cut. */
  readonly drain: (timeoutMs: number) => Promise<void>;
};

/** Serves EPP sessions over TLS (RFC 5734). */
export async function startEppServer(options: EppServerOptions): Promise<EppServer> {
  const connections = new EppConnections(options);
  const server = createServer(
    { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS },
    (socket) => connections.accept(socket),
  );
  keepOnePiece(server);
  server.listen({
    port: options.port,
    host: options.host,
    reusePort: options.reusePort ?? false,
    backlog: BACKLOG,
  });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections.size,
    setSecureContext: (identity) => connections.setSecureContext(identity),
    endAll: (reason) => connections.endAll(reason),
    drain: (timeoutMs) => {
      server.close();
      return connections.drain(timeoutMs);
    },
  };
}
