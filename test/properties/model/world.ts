import { Agent } from 'node:http';
import { expect } from 'vitest';
import { checkLedger } from '../../../src/ledger/check.ts';
import { correctBalance } from '../../../src/ledger/correct.ts';
import { alpha, beta, type Client, poor, type Reply } from '../../support/client.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { type Anchor, dayAt, type Moment, nextAnchor } from './calendar.ts';
import { Letters } from './letters.ts';
import { type Read, Reader } from './reader.ts';
import { REGISTRARS, type RegistrarCode } from './state.ts';

export type Call = {
  readonly who: RegistrarCode;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly target: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
};

const OPENING: Record<RegistrarCode, bigint> = { ALPHA: 10_000_000n, BETA: 10_000_000n, POOR: 500n };
/** Nobody needs a registry of a later century, and a clock only goes forward. */
const LAST_YEAR = 2140;

/** The real registry, and what a test may do to it. */
export class World {
  readonly #registry: TestRegistry;
  readonly #clients: Record<RegistrarCode, Client>;
  readonly letters: Letters;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #readers: Record<RegistrarCode, Reader>;
  #aheadMs = 0;
  #sequences = 0;
  /** What happened in this sequence, for whoever has to find out why it failed. */
  transcript: string[] = [];

  private constructor(registry: TestRegistry) {
    this.#registry = registry;
    this.letters = new Letters(registry.url);
    const { url } = registry;
    this.#clients = { ALPHA: alpha(url), BETA: beta(url), POOR: poor(url) };
    const reader = (username: string) =>
      new Reader(url, `${username}:${username}-sandbox-password`, this.#agent);
    this.#readers = { ALPHA: reader('alpha'), BETA: reader('beta'), POOR: reader('poor') };
  }

  static async start(): Promise<World> {
    return new World(await startRegistry());
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#registry.stop();
  }

  now(): Moment {
    return Date.now() + this.#aheadMs;
  }

  call({ who, method, target, ...request }: Call): Promise<Reply> {
    return this.#clients[who].call(method, target, request);
  }

  read(who: RegistrarCode, target: string): Promise<Read> {
    return this.#readers[who].get(target);
  }

  async setClock(to: Moment): Promise<void> {
    const { now } = await this.#control('clock', { set: new Date(to).toISOString() });
    this.#aheadMs = Date.parse(now ?? '') - Date.now();
  }

  async topUp(registrar: RegistrarCode, amount: string): Promise<string> {
    return (await this.#control('topup', { registrar, amount })).balance ?? '';
  }

  async ledgerFindings(): Promise<unknown[]> {
    return checkLedger(this.#registry.sql);
  }

  /** Everybody has what the seed gives him, no message waits, and the calendar stands where the sequence wants it. */
  async begin(anchor: Anchor): Promise<{ prefix: string; balances: Record<RegistrarCode, bigint> }> {
    this.transcript = [];
    if (dayAt(this.now()).year > LAST_YEAR) await this.#reset();
    const { sql } = this.#registry;
    await sql`truncate domains, contacts, poll_messages, mails cascade`;
    await this.setClock(nextAnchor(this.now(), anchor));
    for (const registrar of REGISTRARS) {
      const { balance } = (await this.read(registrar, '/accounts/balance')).body.data;
      const amount = OPENING[registrar] - BigInt(balance.replace('.', ''));
      const correction = {
        registrar,
        amount,
        reason: 'next sequence',
        actor: 'test',
        at: new Date(this.now()),
      };
      if (amount !== 0n) await correctBalance(sql, correction);
    }
    return { prefix: `m${++this.#sequences}x`, balances: { ...OPENING } };
  }

  async #reset(): Promise<void> {
    await this.#control('reset', {});
    this.#aheadMs = 0;
  }

  async #control(place: string, body: object): Promise<Record<string, string>> {
    const reply = await fetch(`${this.#registry.url}/sandbox/${place}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    expect([place, reply.status, text]).toEqual([place, 200, text]);
    return JSON.parse(text);
  }
}
