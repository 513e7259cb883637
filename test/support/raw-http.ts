import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type RawAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Everything of it as it came. */
  readonly text: string;
};
type ExchangeTimes = {
  /** Waited between the pieces of a request. */
  readonly pauseMs?: number;
  /** How long a silent server is waited for before our side of the connection is closed, and again before it ends. */
  readonly silenceMs: number;
};

const HEAD_END = '\r\n\r\n';

/** Sends bytes that no HTTP library would send, and returns whatever came back until the connection ended. */
export async function exchange(
  port: number,
  pieces: readonly Uint8Array[],
  { pauseMs = 0, silenceMs }: ExchangeTimes,
): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const received: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on('end', resolve);
    socket.on('close', () => resolve());
    socket.on('error', () => resolve()); // a reset is an end as well
  });
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  let lastHeard = performance.now();
  socket.on('data', (chunk) => {
    received.push(chunk);
    lastHeard = performance.now();
  });
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && pauseMs > 0) await sleep(pauseMs);
    if (socket.writable) socket.write(piece);
  }
  lastHeard = performance.now();
  const silence = async () => {
    // Not longer than the connection: thousands of exchanges would otherwise go on looking for seconds.
    while (!isOver && performance.now() - lastHeard < silenceMs) await sleep(5);
  };
  await Promise.race([ended, silence()]);
  socket.end();
  lastHeard = performance.now();
  await Promise.race([ended, silence()]);
  socket.destroy();
  return Buffer.concat(received);
}

/** The answers in these bytes; throws when they are anything but whole answers. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const headEnd = rest.indexOf(HEAD_END);
    const [line = '', ...lines] = rest.toString('latin1', 0, Math.max(headEnd, 0)).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
    if (headEnd < 0 || status === undefined)
      throw new Error(`no HTTP answer: ${rest.toString('latin1', 0, 300)}`);
    const headers = new Map(lines.map(readHeader));
    const interim = status.startsWith('1');
    // An answer that announces no length lasts until the connection ends.
    const left = rest.length - headEnd - HEAD_END.length;
    const length = interim ? 0 : Number(headers.get('content-length') ?? left);
    const end = headEnd + HEAD_END.length + length;
    if (!(end <= rest.length))
      throw new Error(`an answer of another length than announced: ${rest.toString('latin1', 0, 300)}`);
    const body = rest.toString('utf8', headEnd + HEAD_END.length, end);
    if (!interim)
      answers.push({ status: Number(status), headers, body, text: rest.toString('utf8', 0, end) });
    rest = rest.subarray(end);
  }
  return answers;
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
