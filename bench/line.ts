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
  readonly body?: string;
};
/** A server on this machine; with an identity it is spoken to over TLS, and shown the certificate. */
export type Address = {
  readonly port: number;
  readonly identity?: { readonly key: string; readonly cert: string } | undefined;
  /** The document of a login command: the server speaks EPP, and each connection logs in with it. */
  readonly eppLogin?: string | undefined;
};

export function encode({ method, path, authorization, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'accept: application/json'];
  if (authorization) lines.push(`authorization: ${authorization}`);
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** A connection that carries one request after the other, and does as little as it can per answer. */
export class Line {
  readonly #socket: Socket;
  readonly #protocol: Protocol;
  #answered: (answer: Buffer) => void = () => {};
  #pending: Buffer | undefined;
  #closing = false;
  /** Rejects when the connection breaks; who closes it does not hear of it. */
  readonly broken: Promise<never>;

  private constructor(socket: Socket, protocol: Protocol) {
    this.#socket = socket;
    this.#protocol = protocol;
    socket.on('data', (chunk) => this.#hear(chunk));
    this.broken = new Promise((_, reject) => {
      socket.on('error', reject);
      socket.on('close', () => {
        if (!this.#closing) reject(new Error('the server closed a connection during the measurement'));
      });
    });
    this.broken.catch(() => {}); // whoever uses the line looks at it; before that nobody does
  }

  static async open({ port, identity, eppLogin }: Address): Promise<Line> {
    const at = { port, host: '127.0.0.1' };
    const socket = identity
      ? connectSecurely({ ...at, ...identity, rejectUnauthorized: false }).setNoDelay(true)
      : connect({ ...at, noDelay: true });
    await once(socket, identity ? 'secureConnect' : 'connect');
    if (eppLogin === undefined) return new Line(socket, http);
    const line = new Line(socket, epp);
    await line.#next(() => {}); // the greeting
    const answer = await line.ask(encodeFrame(eppLogin));
    if (!isSuccess(epp.statusOf(answer))) throw new Error(`the login was refused: ${epp.bodyOf(answer)}`);
    return line;
  }

  /** As `send`, for requests that are not measured. */
  ask(request: Buffer): Promise<Buffer> {
    return this.#next(() => this.#socket.write(request));
  }

  #next(prompt: () => void): Promise<Buffer> {
    const answered = new Promise<Buffer>((resolve) => {
      this.#answered = resolve;
      prompt();
    });
    return Promise.race([answered, this.broken]);
  }

  send(request: Buffer, answered: (answer: Buffer) => void): void {
    this.#answered = answered;
    this.#socket.write(request);
  }

  close(): void {
    this.#closing = true;
    this.#socket.end();
  }

  #hear(chunk: Buffer): void {
    const answer = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
    const length = this.#protocol.lengthOf(answer);
    if (length === undefined || answer.length < length) {
      this.#pending = answer;
      return;
    }
    this.#pending = undefined;
    this.#answered(answer);
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
