import { createServer } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { type ListenAddress, Listeners } from '../../../platform/port-listeners.ts';
import { keepOnePiece } from '../../../platform/node-net.ts';
import { type EppConnectionOptions, EppConnections } from './epp-connections.ts';

export type { EppAnswer, EppPeer, EppSession } from './session-handler.ts';

const KEEP_ALIVE_DELAY_MS = 60_000;

export type EppServerOptions = EppConnectionOptions & ListenAddress;

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
  const listeners = new Listeners(server);
  const port = await listeners.listen(options);
  return {
    port,
    connections: () => connections.size,
    setSecureContext: (identity) => connections.setSecureContext(identity),
    endAll: (reason) => connections.endAll(reason),
    drain: (timeoutMs) => {
      server.close();
      void listeners.close();
      return connections.drain(timeoutMs);
    },
  };
}
