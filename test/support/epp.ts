import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { type EppAnswer, readAnswer } from './epp-answer.ts';
import { type EppCommand, envelope, type LogInOptions, logInCommand } from './epp-frames.ts';
import { schemaViolations } from './epp-schemas.ts';

const HEADER_BYTES = 4;
const ANSWER_TIMEOUT_MS = 20_000;

type Credentials = {
  readonly host?: string;
  readonly port: number;
  /** What the server's certificate is checked with. */
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly options?: tls.ConnectionOptions;
};

/** The connection was closed where an answer was expected. */
export class ConnectionClosed extends Error {
  override name = 'ConnectionClosed';
}

/** A client of one EPP session. Every answer is checked against the schemas. */
export class EppClient {
  readonly socket: tls.TLSSocket;
  readonly #frames: string[] = [];
  #received = Buffer.alloc(0);
  #waiting: (() => void) | undefined;
  #ended = false;
  #failure: Error | undefined;
  #commands = 0;
  #greeting: EppAnswer | undefined;

  /** Connects and reads the greeting. */
  static async connect(credentials: Credentials): Promise<EppClient> {
    const client = EppClient.open(credentials);
    client.#greeting = await client.answer();
    return client;
  }

  /** Does not wait for the handshake, nor for the greeting. */
  static open({ host = 'localhost', options, ...credentials }: Credentials): EppClient {
    return new EppClient(tls.connect({ host, servername: host, ...credentials, ...options }));
  }

  private constructor(socket: tls.TLSSocket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#failure = error;
    });
    socket.on('close', () => {
      this.#ended = true;
      this.#waiting?.();
    });
  }

  get greeting(): EppAnswer {
    if (this.#greeting === undefined) throw new Error('The greeting has not been read');
    return this.#greeting;
  }

  get isClosed(): boolean {
    return this.#ended;
  }

  /** Settles when the connection is gone. */
  async closed(): Promise<void> {
    if (!this.#ended) await once(this.socket, 'close', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  }

  /** Sends a frame as it is given and reads one answer. */
  async send(frame: string | Uint8Array): Promise<EppAnswer> {
    this.write(frame);
    return this.answer();
  }

  /** Sends a frame and reads nothing: for frames that are sent before the answer to the last. */
  write(frame: string | Uint8Array): void {
    this.socket.write(framed(frame));
  }

  /** The next frame of the server. Throws if it violates the schemas or the connection is closed. */
  async answer(): Promise<EppAnswer> {
    const frame = await this.frame();
    const violations = await schemaViolations(frame);
    if (violations.length > 0) throw new Error(`The answer is invalid:\n${violations.join('\n')}\n${frame}`);
    return readAnswer(frame);
  }

  /** The next frame of the server as text, unchecked. */
  async frame(): Promise<string> {
    if (this.#frames.length === 0 && !this.#ended) await this.#nextChange();
    const frame = this.#frames.shift();
    if (frame === undefined) throw new ConnectionClosed('The connection is closed', { cause: this.#failure });
    return frame;
  }

  /** Sends a command with a clTRID of its own, which the answer must repeat. */
  async command(command: EppCommand, ...extensions: readonly string[]): Promise<EppAnswer> {
    this.#commands += 1;
    const clTRID = `TEST-${this.#commands}`;
    const answer = await this.send(envelope(command, extensions, clTRID));
    // A frame that was refused unread is answered without it.
    if (answer.clTRID !== clTRID && !(answer.code === 2501 && answer.clTRID === undefined))
      throw new Error(`The answer to ${clTRID} has the clTRID ${answer.clTRID}:\n${answer.frame}`);
    return answer;
  }

  logIn(user: string, password: string, options: LogInOptions = {}): Promise<EppAnswer> {
    const [command, ...extensions] = logInCommand(user, password, this.greeting, options);
    return this.command(command, ...extensions);
  }

  logOut(): Promise<EppAnswer> {
    return this.command({ body: '<logout/>' });
  }

  hello(): Promise<EppAnswer> {
    return this.send('<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>');
  }

  /** Ends the connection without a logout. */
  async close(): Promise<void> {
    this.socket.destroy();
    await this.closed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= HEADER_BYTES) {
      const length = this.#received.readUInt32BE(0);
      if (length <= HEADER_BYTES) {
        this.socket.destroy(new Error(`The server sent a frame of ${length} bytes`));
        return;
      }
      if (this.#received.length < length) return;
      this.#frames.push(this.#received.toString('utf8', HEADER_BYTES, length));
      this.#received = this.#received.subarray(length);
      this.#waiting?.();
    }
  }

  async #nextChange(): Promise<void> {
    const timeout = new AbortController();
    const changed = new Promise<void>((resolve) => {
      this.#waiting = resolve;
    });
    const late = wait(ANSWER_TIMEOUT_MS, 'late' as const, { signal: timeout.signal }).catch(() => undefined);
    const outcome = await Promise.race([changed, late]);
    timeout.abort();
    this.#waiting = undefined;
    if (outcome === 'late') throw new Error(`There was no answer within ${ANSWER_TIMEOUT_MS} ms`);
  }
}

/** Header and body of a frame. */
export function framed(frame: string | Uint8Array): Buffer {
  const body = typeof frame === 'string' ? Buffer.from(frame) : frame;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(body.length + HEADER_BYTES);
  return Buffer.concat([header, body]);
}
