import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLASS, OPCODE, TYPE } from '../../src/doors/dns/codes.ts';
import { readMessage } from '../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../src/doors/dns/message-writer.ts';

/** Names per round, the oldest first: a zone shows changes in their order. */
const NAMES_PER_ROUND = 50;
const ANSWER_TIMEOUT_MS = 300;
const ROUND_INTERVAL_MS = 20;

/** Asks a public server for names until it delegates them, and notes when it first does. */
export class PublicPoller {
  readonly #port: number;
  readonly #socket = createSocket('udp4');
  readonly #expected = new Set<string>();
  readonly #visibleAt = new Map<string, number>();
  #isClosed = false;
  readonly #polling: Promise<void>;

  constructor(port: number) {
    this.#port = port;
    this.#socket.on('message', (bytes) => this.#receive(bytes));
    this.#polling = this.#poll();
  }

  readonly expect = (name: string): void => {
    this.#expected.add(name);
  };

  readonly visibleAt = (name: string): number | undefined => this.#visibleAt.get(name);

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#polling;
    this.#socket.close();
  }

  async #poll(): Promise<void> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    while (!this.#isClosed) {
      const names = [...this.#expected].slice(0, NAMES_PER_ROUND);
      const before = this.#expected.size;
      for (const [index, name] of names.entries()) this.#ask(index, name);
      const until = performance.now() + ANSWER_TIMEOUT_MS;
      while (this.#answered < names.length && performance.now() < until) await sleep(1);
      this.#answered = 0;
      // As long as names appear there may be more of them.
      if (names.length === 0 || this.#expected.size >= before) await sleep(ROUND_INTERVAL_MS);
    }
  }

  #answered = 0;

  #ask(id: number, name: string): void {
    const header = { id, opcode: OPCODE.QUERY, isRequest: true };
    const query = new MessageWriter(header).question({ name, type: TYPE.NS, class: CLASS.IN }).finish();
    this.#socket.send(query, this.#port, '127.0.0.1');
  }

  #receive(bytes: Buffer): void {
    this.#answered += 1;
    const { questions, answers, authority } = readMessage(bytes);
    const name = questions[0]?.name;
    const isDelegated = [...answers, ...authority].some(
      (record) => record.type === TYPE.NS && record.name === name,
    );
    if (name === undefined || !isDelegated || !this.#expected.delete(name)) return;
    this.#visibleAt.set(name, performance.now());
  }
}
