import type { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { ConnectionLimits } from '../../../platform/concurrency/connection-limits.ts';
import { ConnectionTurns } from '../../../platform/concurrency/connection-turns.ts';
import { OpenConnections } from '../../../platform/concurrency/open-connections.ts';
import { handshakeBounds } from '../../../platform/handshake-bounds.ts';
import { secureServerSide } from '../../../platform/node-tls.ts';
import { SlicedStream } from '../../../platform/sliced-stream.ts';
import { addressBucket, addressMatcher, normaliseAddress } from '../../../platform/values/ip-addresses.ts';
import { readProxyHeader } from '../../proxy-protocol.ts';
import { type ConnectionTimeouts, EppConnection } from './epp-connection.ts';
import { LargeFrames } from './large-frames.ts';
import type { EppPeer, EppSession } from './session-handler.ts';
import { TLS_OPTIONS } from './tls-options.ts';

const MAX_CONNECTIONS = 5_000;
/** Not logged in, over all addresses: each takes some 50 KB, and a login takes moments. */
const MAX_STRANGERS = 1_000;
/** More than is read ahead while a login runs. Records that carry no bytes of a frame count too. */
const MAX_BYTES_BEFORE_LOGIN = 163_840;
const TIMEOUTS: Omit<ConnectionTimeouts, 'idleMs'> = {
  handshakeMs: 10_000,
  loginMs: 30_000,
  frameMs: 30_000,
  answerMs: 20_000,
  lingerMs: 2_000,
};

export type EppConnectionOptions = {
  /** The server's key and certificate, and the authorities that client certificates are requested for. */
  readonly identity: SecureContextOptions;
  /** These must send a PROXY header; nobody else may. */
  readonly trustedProxies: readonly string[];
  /** From which there was a login before the server was started. */
  readonly knownAddresses?: readonly { readonly address: string; readonly registrar: string }[];
  readonly maxConnectionsPerAddress: number;
  readonly maxConnections?: number;
  readonly maxStrangers?: number;
  /** Of frames that are being received, over all registrars. */
  readonly maxLargeFrameBytes?: number;
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
  readonly #turns = new ConnectionTurns();
  readonly #largeFrames: LargeFrames;
  readonly #open: OpenConnections<EppConnection>;
  #secureContext;

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
    this.#secureContext = createSecureContext({ ...TLS_OPTIONS, ...options.identity });
    this.#largeFrames = new LargeFrames(options.maxLargeFrameBytes);
    this.#open = new OpenConnections(options.sweepIntervalMs);
    for (const { address, registrar } of options.knownAddresses ?? [])
      this.#turns.noteLogin(address, registrar);
  }

  get size(): number {
    return this.#open.size;
  }

  setSecureContext(identity: SecureContextOptions): void {
    this.#secureContext = createSecureContext({ ...TLS_OPTIONS, ...identity });
  }

  accept(socket: Socket): void {
    const remoteAddress = this.#open.accept(socket);
    if (remoteAddress === undefined) return;
    const connection = new EppConnection(socket, normaliseAddress(remoteAddress), {
      timeouts: this.#timeouts,
      openSession: this.#options.openSession,
      largeFrames: this.#largeFrames,
      loggedIn: (known, registrar) => this.#noteLogin(known, registrar),
    });
    this.#open.add(connection);
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
    const displaced = this.#limits.add(connection, bucket, this.#turns.userOf(bucket) === undefined);
    displaced?.cut(displaced === connection ? 'too-many' : 'displaced');
    if (displaced !== connection) this.#awaitHello(socket, connection);
  }

  /** A connection that sends nothing takes no memory of TLS. */
  #awaitHello(socket: Socket, connection: EppConnection): void {
    const start = () => {
      if (socket.readableLength === 0) return;
      socket.off('readable', start);
      this.#runInTurn(connection, () => this.#startTls(socket, connection));
    };
    socket.on('readable', start);
  }

  #startTls(socket: Socket, connection: EppConnection): void {
    if (socket.destroyed) return;
    let isSecure = false;
    const handshake = handshakeBounds(socket);
    const stream = new SlicedStream(socket, {
      awaitTurn: (read, received) =>
        this.#runInTurn(connection, read, !isSecure && handshake.mayCarryCertificate(received)),
      mayReceive: handshake.mayReceive,
      mayHandOn: (bytes) =>
        isSecure
          ? connection.usage.isAuthenticated || bytes <= MAX_BYTES_BEFORE_LOGIN
          : handshake.mayHandOn(bytes),
    });
    const secureContext = this.#secureContext;
    const tls = secureServerSide(stream, { secureContext, requestCert: true, rejectUnauthorized: false });
    const failed = () => connection.cut('tls-failed');
    tls.once('error', failed);
    tls.once('secure', () => {
      isSecure = true;
      tls.off('error', failed);
      this.#secured(tls, connection);
    });
  }

  #runInTurn(
    { usage: { isAuthenticated }, bucket: address }: EppConnection,
    work: () => void,
    mayCarryCertificate = false,
  ): void {
    this.#turns.run({ address, isAuthenticated, mayCarryCertificate }, work);
  }

  #noteLogin(connection: EppConnection, registrar: string): void {
    this.#limits.noteAuthenticated(connection);
    const { bucket } = connection;
    if (bucket !== undefined) this.#turns.noteLogin(bucket, registrar);
  }

  #secured(socket: TLSSocket, connection: EppConnection): void {
    if (this.#open.isDraining) {
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
    this.#limits.delete(connection);
    connection.close();
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    this.#open.delete(connection);
  }
}
