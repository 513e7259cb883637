import type { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { ConnectionLimits } from '../../../platform/concurrency/connection-limits.ts';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { OpenConnections } from '../../../platform/concurrency/open-connections.ts';
import { handshakeBounds } from '../../../platform/handshake-bounds.ts';
import { secureServerSide } from '../../../platform/node-tls.ts';
import { SlicedStream } from '../../../platform/sliced-stream.ts';
import { addressBucket, addressMatcher, normaliseAddress } from '../../../platform/values/ip-addresses.ts';
import { readProxyHeader } from '../../proxy-protocol.ts';
import { type ConnectionTimeouts, EppConnection } from './connection.ts';
import type { EppPeer, EppSession } from './session.ts';
import { TLS_OPTIONS } from './tls-options.ts';

const MAX_CONNECTIONS = 5_000;
/** Not logged in, over all addresses: each takes some 50 KB, and a login takes moments. */
const MAX_STRANGERS = 1_000;
/** More than is read ahead while a login runs. Records that carry no bytes of a frame count too. */
const MAX_BYTES_BEFORE_LOGIN = 163_840;
const MAX_KNOWN_ADDRESSES = 10_000;
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
  /** By addresses. A handshake takes a millisecond or two, or a hundred with the certificates of an attacker. */
  readonly #strangers = new FairTurns<string | undefined>({ msPerTurn: 1, pauseFactor: 4 });
  readonly #known = new FairTurns<string | undefined>({ msPerTurn: 4 });
  /** From which a login has succeeded, the latest one last. */
  readonly #knownAddresses = new Set<string>();
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
    this.#open = new OpenConnections(options.sweepIntervalMs);
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
      loggedIn: (known) => this.#noteLogin(known),
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
    connection.isCounted = true;
    const displaced = this.#limits.add(connection, bucket, !this.#isKnown(connection));
    displaced?.cut(displaced === connection ? 'too-many' : 'displaced');
    if (displaced !== connection) this.#awaitHello(socket, connection);
  }

  /** A connection that sends nothing takes no memory of TLS. */
  #awaitHello(socket: Socket, connection: EppConnection): void {
    const start = () => {
      if (socket.readableLength === 0) return;
      socket.off('readable', start);
      this.#turnsOf(connection).run(connection.bucket, () => this.#startTls(socket, connection));
    };
    socket.on('readable', start);
  }

  #startTls(socket: Socket, connection: EppConnection): void {
    if (socket.destroyed) return;
    let isSecure = false;
    const handshake = handshakeBounds(socket);
    const stream = new SlicedStream(socket, {
      awaitTurn: (read) => this.#turnsOf(connection).run(connection.bucket, read),
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

  #turnsOf(connection: EppConnection): FairTurns<string | undefined> {
    return this.#isKnown(connection) ? this.#known : this.#strangers;
  }

  /** By its login, or because there was one from its address. */
  #isKnown({ usage, bucket }: EppConnection): boolean {
    return usage.isAuthenticated || (bucket !== undefined && this.#knownAddresses.has(bucket));
  }

  #noteLogin(connection: EppConnection): void {
    this.#limits.noteAuthenticated(connection);
    const { bucket } = connection;
    if (bucket === undefined) return;
    this.#knownAddresses.delete(bucket);
    this.#knownAddresses.add(bucket);
    const [oldest] = this.#knownAddresses;
    if (this.#knownAddresses.size > MAX_KNOWN_ADDRESSES && oldest !== undefined)
      this.#knownAddresses.delete(oldest);
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
    if (connection.isCounted) this.#limits.delete(connection, connection.bucket);
    connection.close();
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    this.#open.delete(connection);
  }
}
