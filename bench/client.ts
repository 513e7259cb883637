import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Histogram } from './histogram.ts';

/** One request as the bytes on the wire. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly authorization?: string;
  readonly body?: string;
};
export type Load = {
  readonly port: number;
  readonly sockets: number;
  readonly seconds: number;
  readonly next: () => Buffer;
  /** How long each socket waits between an answer and its next request. */
  readonly pauseMs?: number;
};
export type Measured = {
  readonly requests: number;
  readonly perSecond: number;
  readonly latencies: Histogram;
  readonly statuses: ReadonlyMap<number, number>;
  /** The first answer that was not 2xx, whole. */
  readonly firstFailure: string | undefined;
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

/**
 * Keeps one request in flight on each socket for so many seconds. It does as little as it can per answer
 * (status, length, time), since it shares the machine with what it measures.
 */
export async function drive({ port, sockets, seconds, next, pauseMs = 0 }: Load): Promise<Measured> {
  const latencies = new Histogram();
  const statuses = new Map<number, number>();
  let firstFailure: string | undefined;
  let requests = 0;
  const count = (status: number, milliseconds: number, answer: Buffer) => {
    requests += 1;
    latencies.add(milliseconds);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status < 200 || status > 299) firstFailure ??= answer.toString();
  };
  const lines = await Promise.all(Array.from({ length: sockets }, () => open(port)));
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(lines.map((socket) => keepBusy(socket, until, next, count, pauseMs)));
  const elapsed = (performance.now() - started) / 1000;
  return { requests, perSecond: requests / elapsed, latencies, statuses, firstFailure };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

type Count = (status: number, milliseconds: number, answer: Buffer) => void;

function keepBusy(
  socket: Socket,
  until: number,
  next: () => Buffer,
  count: Count,
  pauseMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let pending: Buffer | undefined;
    const send = () => {
      sentAt = performance.now();
      if (sentAt < until) return void socket.write(next());
      socket.off('close', closed);
      socket.end();
      resolve();
    };
    const closed = () => reject(new Error('the server closed a connection during the measurement'));
    socket.on('error', reject);
    socket.on('close', closed);
    socket.on('data', (chunk) => {
      const answer = pending ? Buffer.concat([pending, chunk]) : chunk;
      const length = answerLength(answer);
      if (length === undefined || answer.length < length) {
        pending = answer;
        return;
      }
      pending = undefined;
      count(statusOf(answer), performance.now() - sentAt, answer);
      if (pauseMs === 0) send();
      else setTimeout(send, pauseMs);
    });
    send();
  });
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
const statusOf = (bytes: Buffer): number => Number(bytes.toString('latin1', 9, 12));

/** One request by itself, with its answer taken apart. */
export async function ask(
  port: number,
  request: Buffer,
): Promise<{ status: number; contentType: string; body: string }> {
  const socket = await open(port);
  socket.write(request);
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= (answerLength(bytes) ?? Number.POSITIVE_INFINITY)) break;
  }
  const headEnd = bytes.indexOf(HEAD_END);
  const contentType = /\r\ncontent-type: *([^\r]*)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? '';
  return { status: statusOf(bytes), contentType, body: bytes.toString('utf8', headEnd + HEAD_END.length) };
}
