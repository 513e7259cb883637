import { Agent } from 'node:http';
import { expect } from 'vitest';
import { checkLedger } from '../../../src/ledger/check-ledger.ts';
import { postCorrection } from '../../../src/ledger/post-correction.ts';
import { alpha, beta, type Client, poor, type Reply } from '../../support/client.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { linesOf, publish } from '../../support/zones.ts';
import { type Anchor, dayAt, type Moment, nextAnchor } from './calendar.ts';
import { Mailbox } from './mailbox.ts';
import { type Read, Reader } from './reader.ts';
import type { RegistrarCode } from './state.ts';

export type Call = {
  readonly who: RegistrarCode;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly target: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
};

/** The balance of the registrar that soon has none. */
const POOR = 500n;
/** The end of the calendar: a clock only goes forward. */
const LAST_YEAR = 2140;

/** The real registry, and what a test may do to it. */
export class World {
  readonly #registry: TestRegistry;
  readonly #clients: Record<RegistrarCode, Client>;
  readonly mailbox: Mailbox;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #readers: Record<RegistrarCode, Reader>;
  #aheadMs = 0;
  #sequences = 0;
  /** The transcript of this sequence, for the analysis of a failure. */
  transcript: string[] = [];

  private constructor(registry: TestRegistry) {
    this.#registry = registry;
    this.mailbox = new Mailbox(registry.url);
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

  /** The records of all zones that a sequence registers in, as soon as nothing waits any more. */
  async publishedLines(): Promise<string[]> {
    const { sql: db } = this.#registry;
    const zones = ['ee', 'pri.ee'];
    do await Promise.all(zones.map((zone) => publish(db, zone)));
    while ((await db.rows(sql`select from zone_marks where zone = any(${zones}::text[])`)).length > 0);
    return (await Promise.all(zones.map((zone) => linesOf(db, zone)))).flat();
  }

  /** Deletes the data of earlier sequences, resets balances, and moves the clock to the anchor. */
  async begin(anchor: Anchor): Promise<{ prefix: string; balances: Record<RegistrarCode, bigint> }> {
    this.transcript = [];
    if (dayAt(this.now()).year > LAST_YEAR) await this.#reset();
    await this.#clear();
    await this.setClock(nextAnchor(this.now(), anchor));
    const [ALPHA, BETA, poor] = await Promise.all([
      this.#balanceOf('ALPHA'),
      this.#balanceOf('BETA'),
      this.#balanceOf('POOR'),
    ]);
    if (poor !== POOR) await this.#correct('POOR', POOR - poor);
    return { prefix: `m${++this.#sequences}x`, balances: { ALPHA, BETA, POOR } };
  }

  /** Deleting these few rows takes a tenth of the time of truncating their tables. */
  async #clear(): Promise<void> {
    const { sql: db } = this.#registry;
    await db.begin((all) =>
      Promise.all([
        all.rows(sql`delete from domains`),
        all.rows(sql`delete from contacts`),
        all.rows(sql`delete from poll_messages`),
        all.rows(sql`delete from mails`),
      ]),
    );
  }

  async #balanceOf(registrar: RegistrarCode): Promise<bigint> {
    const { balance } = (await this.read(registrar, '/accounts/balance')).body.data;
    return BigInt(balance.replace('.', ''));
  }

  async #correct(registrar: RegistrarCode, amount: bigint): Promise<void> {
    const entry = { registrar, amount, reason: 'next sequence', actor: 'test', at: new Date(this.now()) };
    await postCorrection(this.#registry.sql, entry);
  }

  async #reset(): Promise<void> {
    await this.#control('reset', {});
    this.#aheadMs = 0;
  }

  async #control(place: string, body: object): Promise<Record<string, string>> {
    const reply = await fetch(`${this.#registry.url}/sandbox/${place}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    expect([place, reply.status, text]).toEqual([place, 200, text]);
    return JSON.parse(text);
  }
}
