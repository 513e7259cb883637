import type { Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { ConnectionLimits } from '../../../platform/concurrency/connection-limits.ts';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { OpenConnections } from '../../../platform/concurrency/open-connections.ts';
import { rawSocketOf } from '../../../platform/node-tls.ts';
import { addressBucket, addressMatcher, normaliseAddress } from '../../../platform/values/ip-addresses.ts';
import { readProxyHeader } from '../../proxy-protocol.ts';
import { type ConnectionTimeouts, EppConnection } from './connection.ts';
import type { EppPeer, EppSession } from './session.ts';
import { TLS_OPTIONS } from './tls-options.ts';

const MAX_CONNECTIONS = 5_000;
/** Not logged in, over all addresses: each takes some 50 KB, and a login takes moments. */
const MAX_STRANGERS = 1_000;
const TIMEOUTS: Omit<ConnectionTimeouts, 'idleMs'> = {
  ...{ handshakeMs: 10_000, loginMs: 30_000, frameMs: 30_000, answerMs: 20_000, lingerMs: 2_000 },
};

export type EppConnectionOptions = {
  /** The server's key and certificate, and the authorities that client certificates are requested for. */
  readonly identity: SecureContextOptions;
  /** These must send a PROXY header; nobody else may. */
  readonly trustedProxies: readonly string[];
  readonly maxConnectionsPerAddress: number;
  readonly maxConnections?: number;
  readonly maxStrangers?: number;
  readonly idleTimeoutMs: number;
  readonly timeouts?: Partial<ConnectionTimeouts>;
  readonly sweepIntervalMs?: number;
  readonly openSession: (peer: EppPeer) => EppSession;
  /** Told once per connection. */
  readonly ended: (reason: string) => void;
};

/** The open connections of a server, from before their TLS handshake. */
export class EppConnections {
  readonly #options: EppConnectionOptions;
  readonly #timeouts: ConnectionTimeouts;
  readonly #isTrusted: (address: string) => boolean;
  readonly #limits: ConnectionLimits<EppConnection>;
  readonly #tls;
  /** A handshake takes a millisecond or two of the processor, and strangers may begin any number of them. */
  readonly #handshakes = new FairTurns<string | undefined>();
  readonly #reading = new FairTurns<string | undefined>();
  readonly #open: OpenConnections<EppConnection>;
  /** By the sockets that were accepted. */
  readonly #bySocket = new WeakMap<Socket, EppConnection>();

  constructor(options: EppConnectionOptions) {
    this.#options = options;
    this.#timeouts = { ...TIMEOUTS, idleMs: options.idleTimeoutMs, ...options.timeouts };
    this.#isTrusted = addressMatcher(options.trustedProxies);
    this.#limits = new ConnectionLimits({
      maxPerBucket: options.maxConnectionsPerAddress,
      maxTotal: options.maxConnections ?? MAX_CONNECTIONS,
      maxStrangers: options.maxStrangers ?? MAX_STRANGERS,
      usageOf: ({ usage }) => usage,
    });
    // It never listens: it is handed sockets whose PROXY header was read. The sweep has the time limit.
    this.#tls = createTlsServer({
      ...{ ...TLS_OPTIONS, ...options.identity, requestCert: true, rejectUnauthorized: false },
      handshakeTimeout: 0,
    });
    this.#tls.on('secureConnection', (socket) => this.#secured(socket));
    this.#tls.on('tlsClientError', (_, socket) => this.#bySocket.get(rawSocketOf(socket))?.cut('tls-failed'));
    this.#open = new OpenConnections(options.sweepIntervalMs);
  }

  get size(): number {
    return this.#open.size;
  }

  setSecureContext(identity: SecureContextOptions): void {
    this.#tls.setSecureContext({ ...TLS_OPTIONS, ...identity });
  }

  accept(socket: Socket): void {
    const remoteAddress = this.#open.accept(socket);
    if (remoteAddress === undefined) return;
    const connection = new EppConnection(socket, normaliseAddress(remoteAddress), {
      timeouts: this.#timeouts,
      openSession: this.#options.openSession,
      awaitTurn: ({ bucket }, resume) => this.#reading.run(bucket, resume),
      loggedIn: (known) => this.#limits.noteAuthenticated(known),
    });
    this.#open.add(connection);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => this.#closed(connection));
    if (this.#isTrusted(remoteAddress)) this.#readProxyHeader(socket, connection);
    else this.#admit(socket, connection, addressBucket(remoteAddress));
  }

  endAll(reason: string): void {
    for (const connection of this.#open) connection.end(reason);
  }

  drain(timeoutMs: number): Promise<void> {
    return this.#open.drain(timeoutMs);
  }

  #readProxyHeader(socket: Socket, connection: EppConnection): void {
    readProxyHeader(socket, {
      done: ({ address }) => {
        if (address !== undefined) connection.address = address;
        this.#admit(socket, connection, address === undefined ? undefined : addressBucket(address));
      },
      failed: () => connection.cut('proxy-header'),
    });
  }

  #admit(socket: Socket, connection: EppConnection, bucket: string | undefined): void {
    connection.bucket = bucket;
    connection.isCounted = true;
    const displaced = this.#limits.add(connection, bucket);
    displaced?.cut(displaced === connection ? 'too-many' : 'displaced');
    if (displaced !== connection) this.#startTls(socket, bucket);
  }

  /**
   * Not before its first bytes are here. They are then what Node sizes the input buffer of the connection by; without
   * them it would be 64 KB, and 1,000 idle sessions would take a third more memory (70 instead of 54 MB).
   */
  #startTls(socket: Socket, bucket: string | undefined): void {
    const start = () => {
      const hello: Buffer | null = socket.read();
      if (hello === null) return;
      socket.off('readable', start);
      socket.unshift(hello);
      this.#handshakes.run(bucket, () => {
        if (!socket.destroyed) this.#tls.emit('connection', socket);
      });
    };
    socket.on('readable', start);
  }

  #secured(socket: TLSSocket): void {
    const connection = this.#bySocket.get(rawSocketOf(socket));
    if (!connection || this.#open.isDraining) {
      socket.destroy();
      return;
    }
    try {
      connection.open(socket);
    } catch {
      // A session that cannot be opened must not end the process.
      connection.cut('failed');
    }
  }

  #closed(connection: EppConnection): void {
    if (connection.isCounted) this.#limits.delete(connection, connection.bucket);
    connection.close();
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    this.#open.delete(connection);
  }
}
