import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

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
};

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export function encode({ method, path, authorization, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'accept: application/json'];
  if (authorization) lines.push(`authorization: ${authorization}`);
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}${HEAD_END}${body ?? ''}`);
}

/** A connection that carries one request after the other, and does as little as it can per answer. */
export class Line {
  readonly #socket: Socket;
  #answered: (answer: Buffer) => void = () => {};
  #pending: Buffer | undefined;
  #closing = false;
  /** Rejects when the connection breaks; who closes it does not hear of it. */
  readonly broken: Promise<never>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#hear(chunk));
    this.broken = new Promise((_, reject) => {
      socket.on('error', reject);
      socket.on('close', () => {
        if (!this.#closing) reject(new Error('the server closed a connection during the measurement'));
      });
    });
    this.broken.catch(() => {}); // whoever uses the line looks at it; before that nobody does
  }

  static async open({ port, identity }: Address): Promise<Line> {
    const at = { port, host: '127.0.0.1' };
    const socket = identity
      ? connectSecurely({ ...at, ...identity, rejectUnauthorized: false }).setNoDelay(true)
      : connect({ ...at, noDelay: true });
    await once(socket, identity ? 'secureConnect' : 'connect');
    return new Line(socket);
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
    const length = answerLength(answer);
    if (length === undefined || answer.length < length) {
      this.#pending = answer;
      return;
    }
    this.#pending = undefined;
    this.#answered(answer);
  }
}

/** Head and body of the answer at the beginning of these bytes; undefined while the head is not complete. */
function answerLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = CONTENT_LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return headEnd + HEAD_END.length + Number(length);
}

/** "HTTP/1.1 200 …" */
export const statusOf = (bytes: Buffer): number => Number(bytes.toString('latin1', 9, 12));

/** One request by itself, with its answer taken apart. */
export async function ask(
  address: Address,
  request: Buffer,
): Promise<{ status: number; contentType: string; body: string }> {
  const line = await Line.open(address);
  const bytes = await Promise.race([
    new Promise<Buffer>((resolve) => line.send(request, resolve)),
    line.broken,
  ]);
  line.close();
  const headEnd = bytes.indexOf(HEAD_END);
  const contentType = /\r\ncontent-type: *([^\r]*)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? '';
  return { status: statusOf(bytes), contentType, body: bytes.toString('utf8', headEnd + HEAD_END.length) };
}
