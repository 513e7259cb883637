import { Histogram } from './histogram.ts';
import { type Address, Line, protocolOf } from './line.ts';
import { isSuccess, type Protocol } from './protocol.ts';

export type Load = Address & {
  readonly sockets: number;
  readonly seconds: number;
  readonly next: () => Buffer;
  /** Called when the connections are open, just before the first request. */
  readonly opened?: () => void;
};
export type Measured = {
  readonly requests: number;
  readonly perSecond: number;
  readonly latencies: Histogram;
  readonly statuses: ReadonlyMap<number, number>;
  /** The first answer that was no success, whole. */
  readonly firstFailure: string | undefined;
};

/**
 * Keeps one request in flight on each socket for so many seconds, with a pause between an answer and the next request
 * where one is given. It does as little as it can per answer, since it shares the machine with what it measures.
 */
export async function drive({
  pauseMs = 0,
  ...load
}: Load & { readonly pauseMs?: number }): Promise<Measured> {
  const tally = new Tally(protocolOf(load));
  const lines = await open(load);
  const started = performance.now();
  const until = started + load.seconds * 1000;
  await each(lines, (line, done) => {
    const send = () => {
      const sentAt = performance.now();
      if (sentAt >= until) return done();
      line.send(load.next(), (answer) => {
        tally.count(answer, performance.now() - sentAt);
        if (pauseMs === 0) send();
        else setTimeout(send, pauseMs);
      });
    };
    send();
  });
  return tally.over((performance.now() - started) / 1000);
}

const TICK_MS = 1;

/**
 * Sends so many requests a second, whether or not the answers come: a request that finds no free socket waits for one,
 * and its time runs from when it was due. So a server that stalls is not asked less, and its stall is not overlooked.
 */
export async function driveAt({
  perSecond,
  ...load
}: Load & { readonly perSecond: number }): Promise<Measured> {
  const tally = new Tally(protocolOf(load));
  const free = await open(load);
  const lines = [...free];
  const started = performance.now();
  const dueAt = (index: number) => started + (index * 1000) / perSecond;
  const wanted = Math.ceil(load.seconds * perSecond);
  let [sent, answered] = [0, 0];
  const finished = new Promise<void>((resolve) => {
    const sendDue = () => {
      while (sent < wanted && dueAt(sent) <= performance.now()) {
        const line = free.pop();
        if (!line) return;
        const due = dueAt(sent++);
        line.send(load.next(), (answer) => {
          tally.count(answer, performance.now() - due);
          free.push(line);
          if (++answered === wanted) resolve();
          else sendDue();
        });
      }
    };
    const timer = setInterval(() => (sent < wanted ? sendDue() : clearInterval(timer)), TICK_MS);
  });
  await Promise.race([finished, ...lines.map((line) => line.broken)]);
  for (const line of lines) line.close();
  return tally.over((performance.now() - started) / 1000);
}

async function open(load: Load): Promise<Line[]> {
  const lines = await Promise.all(Array.from({ length: load.sockets }, () => Line.open(load)));
  load.opened?.();
  return lines;
}

/** Works on every line until it says that it is done, or one breaks. */
async function each(lines: readonly Line[], work: (line: Line, done: () => void) => void): Promise<void> {
  const works = lines.map((line) =>
    Promise.race([new Promise<void>((resolve) => work(line, resolve)), line.broken]),
  );
  await Promise.all(works);
  for (const line of lines) line.close();
}

class Tally {
  readonly #latencies = new Histogram();
  readonly #statuses = new Map<number, number>();
  readonly #protocol: Protocol;
  #firstFailure: string | undefined;
  #requests = 0;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  count(answer: Buffer, milliseconds: number): void {
    const status = this.#protocol.statusOf(answer);
    this.#requests += 1;
    this.#latencies.add(milliseconds);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (!isSuccess(status)) this.#firstFailure ??= answer.toString();
  }

  over(seconds: number): Measured {
    return {
      requests: this.#requests,
      perSecond: this.#requests / seconds,
      latencies: this.#latencies,
      statuses: this.#statuses,
      firstFailure: this.#firstFailure,
    };
  }
}
