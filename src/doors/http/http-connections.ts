import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type TLSSocket, Server as TlsServer } from 'node:tls';
import { Refused } from '../../operations/refusal.ts';
import { ConnectionLimits, type ConnectionUsage } from '../../platform/concurrency/connection-limits.ts';
import { ConnectionTurns } from '../../platform/concurrency/connection-turns.ts';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { type Receipt, ReceiveBudget, type Sender } from '../../platform/concurrency/receive-budget.ts';
import { RoundTurns } from '../../platform/concurrency/round-turns.ts';
import type { Config } from '../../platform/config/config.ts';
import { handshakeBounds } from '../../platform/handshake-bounds.ts';
import { ignoreRequestsUntilClosed } from '../../platform/node-http.ts';
import { keepOnePiece, readNothingYet } from '../../platform/node-net.ts';
import { streamBelow } from '../../platform/node-tls.ts';
import { SlicedStream } from '../../platform/sliced-stream.ts';
import { addressBucket, addressMatcher } from '../../platform/values/ip-addresses.ts';
import { Arrivals } from './arrivals.ts';
import type { BoundedRequest } from './bounded-request.ts';
import { settleClientAddress } from './client-address.ts';
import { refusal } from './request-refusals.ts';

/** Requests that a client may pipeline. Each is parsed already, so they cost memory. */
const MAX_PIPELINED = 32;
const MAX_CONNECTIONS = 10_000;
/** Body timeout of a client without credentials, and of any client for the rest of a refused body. */
const UNAUTHENTICATED_BODY_TIMEOUT_MS = 5_000;
/** A client must read an answer within this time, and large answers at this rate. */
const ANSWER_TIMEOUT_MS = 20_000;
const MIN_ANSWER_BYTES_PER_MS = 128;
const SWEEP_INTERVAL_MS = 1_000;
/** What bodies of a connection are divided into: each piece takes as long as many bytes, and a chunk may be one byte. */
const FREE_PIECES = 256;
const MIN_BYTES_PER_PIECE = 64;

/** Of bodies that are being received and worked on. An import has 16 MiB; a body without credentials one. */
const BYTES_OF_KNOWN = { perSender: 20 * 1024 * 1024, inAll: 64 * 1024 * 1024 };
const BYTES_OF_STRANGERS = { perSender: 2 * 1024 * 1024, inAll: 16 * 1024 * 1024 };

/** Why the server ended a connection. */
export type EndReason =
  | 'pipelined'
  | 'unread-answer'
  | 'slow-body'
  | 'many-pieces'
  | 'displaced'
  | 'too-many';

type Exchange = {
  /** The bucket of whom the request is from; undefined for the checks of a trusted proxy itself. */
  readonly client: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt: number;
  readonly bytesBefore: number;
  /** When the answer was first found to be blocked by the client. */
  unreadSince: number | undefined;
  isAuthenticated: boolean;
  /** Whose credentials it has shown. */
  user: string | undefined;
};

type Connection = {
  socket: Socket;
  /** The bucket that it counts for; undefined for a trusted proxy, whose connections are not limited. */
  readonly bucket: string | undefined;
  readonly pipelined: [IncomingMessage, ServerResponse][];
  /** The one request that is being handled; later ones are queued, so that unread answers do not accumulate. */
  current: Exchange | undefined;
  /** A request that was answered before its body had arrived. */
  unfinished: { readonly request: IncomingMessage; readonly since: number } | undefined;
  hasAuthenticated: boolean;
  /** Pieces of bodies beyond those that so many bytes may have. */
  excessPieces: number;
  /** Of its bodies that are not answered yet. */
  readonly receipts: Map<IncomingMessage, Receipt>;
  lastUsedAt: number;
};

type Options = {
  readonly config: Pick<Config, 'trustedProxies' | 'maxConnectionsPerAddress' | 'requestTimeoutMs'>;
  readonly ended: (reason: EndReason) => void;
  /** Answers a request whose body did not arrive in time, or in too many pieces. */
  readonly answerMalformed: (socket: Socket) => void;
};

/**
 * The connections of a server. It handles one request of a connection at a time, ends connections that do not read
 * their answers or do not send their bodies, and limits how many one client address may hold: a new connection
 * displaces the least active one of the same address.
 */
export class Connections {
  readonly #options: Options;
  readonly #isTrusted: (address: string) => boolean;
  readonly #bySocket = new WeakMap<Duplex, Connection>();
  readonly #open = new Set<Connection>();
  readonly #limits: ConnectionLimits<Connection>;
  readonly #arrivals = new Arrivals();
  /** In which TLS is given what was received. */
  readonly #turns = new ConnectionTurns();
  /** In which their requests begin. A registrar is a stranger, too, until the first request, and must not wait long. */
  readonly #strangers = new FairTurns<string>({ msPerTurn: 1 });
  readonly #known = new FairTurns<string>({ msPerTurn: 1 });
  /** Bodies until they are answered. */
  readonly #bodies = new ReceiveBudget({ known: BYTES_OF_KNOWN, strangers: BYTES_OF_STRANGERS });
  readonly #bodyTurns = new RoundTurns<string>();
  readonly #bodyTimeoutMs: number;
  readonly #answerTimeoutMs: number;
  readonly #sweeps: NodeJS.Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#isTrusted = addressMatcher(options.config.trustedProxies);
    const { requestTimeoutMs, maxConnectionsPerAddress: maxPerBucket } = options.config;
    this.#limits = new ConnectionLimits({ maxPerBucket, maxTotal: MAX_CONNECTIONS, usageOf });
    this.#bodyTimeoutMs = Math.min(UNAUTHENTICATED_BODY_TIMEOUT_MS, requestTimeoutMs);
    this.#answerTimeoutMs = Math.min(ANSWER_TIMEOUT_MS, requestTimeoutMs);
    this.#sweeps = setInterval(() => this.#sweep(), Math.min(SWEEP_INTERVAL_MS, requestTimeoutMs)).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Tracks the connections of a server from before the TLS handshake, so that a slow handshake counts too, and hands them
   * on to it, each in its turn.
   */
  watch(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    const isSecure = server instanceof TlsServer;
    readNothingYet(server);
    if (isSecure) keepOnePiece(server);
    server.on('connection', (socket: Socket) => {
      const connection = this.#accept(socket);
      if (!connection) return;
      const { bucket } = connection;
      const serve = () => {
        if (socket.destroyed) return;
        const stream = isSecure && bucket !== undefined ? this.#inSlices(socket, connection, bucket) : socket;
        for (const listener of listeners) listener.call(server, stream);
        socket.resume();
      };
      if (bucket === undefined) serve();
      else this.#arrivals.serveInTurn(socket, { bucket, user: this.#turns.userOf(bucket) }, serve);
    });
    server.on('secureConnection', (socket: TLSSocket) => this.#secured(socket));
  }

  /** Handles the requests of each connection sequentially. */
  inTurn(handle: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#bySocket.get(request.socket);
      if (!connection) return handle(request, response);
      if (request.socket.destroyed) return;
      if (!connection.current) return this.#start(connection, request, response, handle);
      if (connection.pipelined.length >= MAX_PIPELINED) return this.#end(connection, 'pipelined');
      connection.pipelined.push([request, response]);
    };
  }

  /** The bucket of a connection; undefined for a trusted proxy, which forwards requests of many clients. */
  bucketOf(socket: Socket): string | undefined {
    return this.#bySocket.get(socket)?.bucket;
  }

  /** Verified credentials, of this user, lift the short body timeout. */
  markAuthenticated(socket: Socket, user: string): void {
    const connection = this.#bySocket.get(socket);
    if (!connection?.current) return;
    const { client } = connection.current;
    connection.current.isAuthenticated = true;
    connection.current.user = user;
    connection.receipts.get(connection.current.request)?.identify({ key: user, isStranger: false });
    const isNoted = connection.bucket !== undefined && connection.hasAuthenticated;
    connection.hasAuthenticated = true;
    if (!isNoted && client !== undefined) this.#turns.noteLogin(client, user);
  }

  /** Whether a piece of so many bytes is no sign of bodies in tiny pieces. A proxy's bodies are those of many clients. */
  mayTakePiece(socket: Socket, bytes: number): boolean {
    const connection = this.#bySocket.get(socket);
    if (!connection || connection.bucket === undefined) return true;
    connection.excessPieces = Math.max(0, connection.excessPieces + 1 - bytes / MIN_BYTES_PER_PIECE);
    return connection.excessPieces <= FREE_PIECES;
  }

  /** Whether so many bytes of a body are kept; if not, now or later, the request is refused. */
  mayKeep(request: BoundedRequest, bytes: number): boolean {
    const connection = this.#bySocket.get(request.socket);
    if (!connection) return true;
    const known = connection.receipts.get(request);
    if (known) return known.add(bytes);
    // It was answered: what follows of its body goes to nobody.
    if (connection.unfinished?.request === request) return false;
    const refused = () => request.refuseBody(new Refused(refusal('overload')));
    const receipt = this.#bodies.begin(this.#senderOf(connection, request), refused);
    connection.receipts.set(request, receipt);
    return receipt.add(bytes);
  }

  /** Of the bodies of each sender one is read on in a turn of the event loop. */
  readOn(request: BoundedRequest, read: () => void): void {
    const connection = this.#bySocket.get(request.socket);
    const sender = connection?.receipts.get(request)?.sender.key ?? connection?.bucket ?? '';
    this.#bodyTurns.runLater(sender, read);
  }

  /** The rest of such a body is received and dropped, for a few seconds. */
  hasRefusedBody(request: IncomingMessage): boolean {
    const receipt = this.#bySocket.get(request.socket)?.receipts.get(request);
    return receipt?.isEnded === true;
  }

  /** A body that is whole is not refused for others. */
  received(request: BoundedRequest): void {
    const receipts = this.#bySocket.get(request.socket)?.receipts;
    const receipt = receipts?.get(request);
    receipt?.complete();
    if (receipt?.isEnded) receipts?.delete(request);
  }

  /** Its request arrives in more pieces than a body has. */
  endManyPieces(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (!connection) return;
    if (connection.current?.response.headersSent === false) this.#options.answerMalformed(socket);
    this.#end(connection, 'many-pieces');
  }

  /** Node does not close connections that have not sent a request yet, and would wait for them. */
  closeIdle(): void {
    for (const { socket, current } of this.#open) if (!current) socket.destroy();
  }

  stop(): void {
    clearInterval(this.#sweeps);
  }

  /** Undefined if it is gone already. */
  #accept(socket: Socket): Connection | undefined {
    // The connection ends with 'close', which follows.
    socket.on('error', () => {});
    const address = socket.remoteAddress;
    if (address === undefined) {
      socket.destroy();
      return undefined;
    }
    const bucket = this.#isTrusted(address) ? undefined : addressBucket(address);
    const connection: Connection = {
      socket,
      bucket,
      pipelined: [],
      current: undefined,
      unfinished: undefined,
      hasAuthenticated: false,
      excessPieces: 0,
      receipts: new Map(),
      lastUsedAt: performance.now(),
    };
    this.#bySocket.set(socket, connection);
    this.#open.add(connection);
    socket.once('close', () => {
      this.#open.delete(connection);
      for (const receipt of connection.receipts.values()) receipt.end();
      this.#limits.delete(connection);
    });
    const displaced = this.#limits.add(connection, bucket);
    if (displaced) this.#end(displaced, displaced === connection ? 'too-many' : 'displaced');
    return connection;
  }

  #inSlices(socket: Socket, connection: Connection, bucket: string): Duplex {
    const handshake = handshakeBounds(socket);
    const stream = new SlicedStream(socket, {
      awaitTurn: (read, received) => {
        const isSecure = connection.socket !== socket;
        this.#turns.run(
          {
            address: bucket,
            isAuthenticated: connection.hasAuthenticated,
            mayCarryCertificate: !isSecure && handshake.mayCarryCertificate(received),
          },
          read,
        );
      },
      mayReceive: handshake.mayReceive,
      // Before the handshake the connection has the socket itself.
      mayHandOn: (bytes) => connection.socket !== socket || handshake.mayHandOn(bytes),
    });
    this.#bySocket.set(stream, connection);
    return stream;
  }

  /** Requests arrive on the TLS socket from here on; it closes with the raw socket below it. */
  #secured(socket: TLSSocket): void {
    const connection = this.#bySocket.get(streamBelow(socket));
    if (!connection) return;
    // Above a stream that is no socket Node does not know it.
    Object.defineProperty(socket, 'remoteAddress', { value: connection.socket.remoteAddress });
    connection.socket = socket;
    this.#bySocket.set(socket, connection);
  }

  #start(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    handle: RequestListener,
  ): void {
    const client = this.#clientOf(connection, request);
    connection.current = {
      client,
      request,
      response,
      startedAt: performance.now(),
      bytesBefore: request.socket.bytesWritten,
      unreadSince: undefined,
      isAuthenticated: false,
      user: undefined,
    };
    connection.unfinished = undefined;
    response.once('close', () => {
      connection.current = undefined;
      connection.receipts.get(request)?.end();
      if (request.complete) connection.receipts.delete(request);
      connection.lastUsedAt = performance.now();
      if (!request.complete) connection.unfinished = { request, since: connection.lastUsedAt };
      const [next] = connection.pipelined.splice(0, 1);
      if (next && !request.socket.destroyed) this.#start(connection, ...next, handle);
    });
    if (client === undefined) {
      handle(request, response);
      return;
    }
    const isKnown = connection.bucket === undefined ? this.#isKnown(client) : connection.hasAuthenticated;
    (isKnown ? this.#known : this.#strangers).run(client, () => {
      if (!request.socket.destroyed) handle(request, response);
    });
  }

  /** A connection of a trusted proxy has requests of many clients. */
  #clientOf({ bucket }: Connection, request: IncomingMessage): string | undefined {
    if (bucket !== undefined) return bucket;
    settleClientAddress(request, this.#isTrusted);
    const forwarded = request.headers['x-forwarded-for'];
    return typeof forwarded === 'string' ? addressBucket(forwarded) : undefined;
  }

  #senderOf(connection: Connection, request: IncomingMessage): Sender {
    const { current } = connection;
    const isCurrent = current?.request === request;
    const client = isCurrent ? current.client : this.#clientOf(connection, request);
    const user = (isCurrent ? current.user : undefined) ?? this.#turns.userOf(client);
    return user === undefined ? { key: client ?? '', isStranger: true } : { key: user, isStranger: false };
  }

  #isKnown(client: string | undefined): boolean {
    return this.#turns.userOf(client) !== undefined;
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open) {
      const { current, unfinished } = connection;
      if (unfinished && !unfinished.request.complete) {
        if (now - unfinished.since > this.#bodyTimeoutMs) this.#end(connection, 'slow-body');
      }
      if (!current) continue;
      if (isAnswerUnread(current)) {
        current.unreadSince ??= now;
        const bytes = connection.socket.bytesWritten - current.bytesBefore;
        if (now - current.unreadSince > this.#answerTimeoutMs + bytes / MIN_ANSWER_BYTES_PER_MS)
          this.#end(connection, 'unread-answer');
      } else if (!current.request.complete && !current.isAuthenticated) {
        if (now - current.startedAt > this.#bodyTimeoutMs) {
          this.#options.answerMalformed(connection.socket);
          this.#end(connection, 'slow-body');
        }
      }
    }
  }

  #end(connection: Connection, reason: EndReason): void {
    if (connection.socket.destroyed) return;
    this.#options.ended(reason);
    connection.pipelined.length = 0;
    ignoreRequestsUntilClosed(connection.socket);
    if (reason === 'slow-body') connection.socket.destroySoon();
    else connection.socket.destroy();
  }
}

/** The answer is written as far as possible and blocked by the client. */
const isAnswerUnread = ({ response }: Exchange): boolean =>
  response.headersSent && !response.writableFinished;

/** Whether the client is waiting for us rather than we for the client. */
const isBusy = ({ current }: Connection): boolean =>
  current?.request.complete === true && !isAnswerUnread(current);

/** Never one whose request we are handling. */
const usageOf = (connection: Connection): ConnectionUsage => ({
  isProtected: isBusy(connection),
  isAuthenticated: connection.hasAuthenticated,
  lastUsedAt: connection.lastUsedAt,
});
