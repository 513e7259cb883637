import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { encodeFrame } from '../src/doors/epp/wire/frame-reader.ts';
import { epp, http, isSuccess, type Protocol } from './protocol.ts';

/** One request as the bytes on the wire. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly authorization?: string;
  readonly cookie?: string;
  readonly body?: string;
};
/** A server on this machine; with an identity it is spoken to over TLS, and shown the certificate. */
export type Address = {
  readonly port: number;
  readonly identity?: { readonly key: string; readonly cert: string } | undefined;
  /** The document of a login command: the server speaks EPP, and each connection logs in with it. */
  readonly eppLogin?: string | undefined;
};

export function encode({ method, path, authorization, cookie, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'accept: application/json'];
  if (authorization) lines.push(`authorization: ${authorization}`);
  if (cookie) lines.push(`cookie: ${cookie}`);
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** As much as a socket reads at once. */
const READ_BYTES = 64 * 1024;

/**
 * A connection that carries one request after the other, and does as little as it can per answer. Answers are read into
 * the same memory again and again: buffers of their own would be collected in the middle of a measurement, and the
 * pauses of this process would be taken for those of the server.
 */
export class Line {
  readonly #socket: Socket;
  readonly #protocol: Protocol;
  #answered: (answer: Buffer) => void = () => {};
  #bytes = Buffer.allocUnsafe(READ_BYTES);
  #filled = 0;
  #length: number | undefined;
  #closing = false;
  /** Rejects when the connection breaks; not for the side that closes it. */
  readonly broken: Promise<never>;

  private constructor({ port, identity, eppLogin }: Address) {
    const at = { port, host: '127.0.0.1', noDelay: true };
    const into = Buffer.allocUnsafe(READ_BYTES);
    const callback = (length: number) => {
      this.#hear(into.subarray(0, length));
      return true;
    };
    this.#socket = identity
      ? connectSecurely({ ...at, ...identity, rejectUnauthorized: false }).on('data', (c) => this.#hear(c))
      : connect({ ...at, onread: { buffer: into, callback } });
    this.#protocol = eppLogin === undefined ? http : epp;
    this.broken = new Promise((_, reject) => {
      this.#socket.on('error', reject);
      this.#socket.on('close', () => {
        if (!this.#closing) reject(new Error('the server closed a connection during the measurement'));
      });
    });
    this.broken.catch(() => {}); // its user looks at it; before that nobody does
  }

  static async open(address: Address): Promise<Line> {
    const line = new Line(address);
    const greeting = address.eppLogin === undefined ? undefined : line.#next(() => {});
    await once(line.#socket, address.identity ? 'secureConnect' : 'connect');
    if (address.eppLogin === undefined) return line;
    await greeting;
    const answer = await line.ask(encodeFrame(address.eppLogin));
    if (!isSuccess(epp.statusOf(answer))) throw new Error(`the login was refused: ${epp.bodyOf(answer)}`);
    return line;
  }

  /** As `send`, for requests that are not measured. */
  ask(request: Buffer): Promise<Buffer> {
    return this.#next(() => this.#socket.write(request));
  }

  #next(prompt: () => void): Promise<Buffer> {
    const answered = new Promise<Buffer>((resolve) => {
      this.#answered = (answer) => resolve(Buffer.from(answer));
      prompt();
    });
    return Promise.race([answered, this.broken]);
  }

  /** The answer is to be read at once: the next one takes its place. */
  send(request: Buffer, answered: (answer: Buffer) => void): void {
    this.#answered = answered;
    this.#socket.write(request);
  }

  close(): void {
    this.#closing = true;
    this.#socket.end();
  }

  #hear(chunk: Buffer): void {
    const filled = this.#filled + chunk.length;
    if (filled > this.#bytes.length) this.#grow(filled);
    chunk.copy(this.#bytes, this.#filled);
    this.#filled = filled;
    const answer = this.#bytes.subarray(0, filled);
    this.#length ??= this.#protocol.lengthOf(answer);
    if (this.#length === undefined || filled < this.#length) return;
    this.#length = undefined;
    this.#filled = 0;
    this.#answered(answer);
  }

  #grow(needed: number): void {
    const longer = Buffer.allocUnsafe(2 * needed);
    this.#bytes.copy(longer, 0, 0, this.#filled);
    this.#bytes = longer;
  }
}

/** One request by itself, with its answer taken apart. */
export async function ask(
  address: Address,
  request: Buffer,
): Promise<{ status: number; contentType: string; body: string }> {
  const line = await Line.open(address);
  const answer = await line.ask(request);
  line.close();
  const { statusOf, contentTypeOf, bodyOf } = protocolOf(address);
  return { status: statusOf(answer), contentType: contentTypeOf(answer), body: bodyOf(answer) };
}

export const protocolOf = ({ eppLogin }: Address): Protocol => (eppLogin === undefined ? http : epp);
