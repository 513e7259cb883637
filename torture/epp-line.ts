import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EppClient, framed } from '../test/support/epp.ts';
import type { EppAnswer } from '../test/support/epp-answer.ts';
import { type EppCommand, envelope } from '../test/support/epp-frames.ts';
import type { Chance } from './chance.ts';
import type { Attempt, Intent } from './journal.ts';
import type { World } from './world.ts';

/** The final answer; undefined where it is unknown. */
export type EppReply = { readonly answer: EppAnswer; readonly sentAt: number; readonly endedAt: number };

const EARLY_TIMEOUTS_OF_ALL = 0.08;
const MAX_EARLY_TIMEOUT_MS = 1_500;
const HALF_OF_ALL = 0.03;
const RECONNECT_PAUSE_MS = 250;
/** Nothing was done, and the connection stays: the database is unavailable, or a lock timed out. */
const UNAVAILABLE = 2400;
const FAULT = /^Command failed; request/;
/** Refusals that a login may get here: the session limit, or no database. */
const EXPECTED_AT_LOGIN: readonly number[] = [2502, UNAVAILABLE];

/** A session of one user, opened again at any node whenever it is lost. Every answer is checked against the schemas. */
export class EppLine {
  readonly #world: World;
  readonly #who: string;
  readonly #user: string;
  readonly #chance: Chance;
  #client: EppClient | undefined;

  constructor(world: World, who: string, user: string, chance: Chance) {
    this.#world = world;
    this.#who = who;
    this.#user = user;
    this.#chance = chance;
  }

  /** Sends a command once: EPP has no idempotency keys. Its clTRID identifies it in the journal. */
  async want(
    what: string,
    command: EppCommand,
    ...extensions: readonly string[]
  ): Promise<{ readonly intent: Intent; readonly reply: EppReply | undefined }> {
    const intent = this.#world.journal.begin(this.#who, `EPP ${what}`, undefined);
    const { attempt, reply } = await this.#attempt(command, extensions);
    if (attempt) intent.attempts.push(attempt);
    return { intent, reply };
  }

  /** A command that changes nothing. */
  async look(command: EppCommand): Promise<EppReply | undefined> {
    return (await this.#attempt(command, [])).reply;
  }

  close(): void {
    this.#client?.socket.destroy();
    this.#client = undefined;
  }

  async #attempt(
    command: EppCommand,
    extensions: readonly string[],
  ): Promise<{ readonly attempt?: Attempt; readonly reply?: EppReply }> {
    const [leavesEarly, sendsHalf] = [
      this.#chance.happens(EARLY_TIMEOUTS_OF_ALL),
      this.#chance.happens(HALF_OF_ALL),
    ];
    const timeoutMs = this.#chance.below(MAX_EARLY_TIMEOUT_MS);
    const client = await this.#connected();
    if (!client) return {};
    const requestId = this.#world.newRequestId();
    const frame = envelope(command, extensions, requestId);
    const sentAt = Date.now();
    const ended = () => ({ requestId, sentAt, endedAt: Date.now() });
    if (sendsHalf) {
      this.#sendHalf(client, frame);
      // It cannot have been read, so it must have no effect.
      return { attempt: { ...ended(), outcome: 'refused', status: undefined, body: 'half a frame' } };
    }
    const leaving = leavesEarly ? setTimeout(() => this.close(), timeoutMs) : undefined;
    try {
      const answer = await client.send(frame);
      const attempt: Attempt = { ...ended(), ...this.#judge(answer, requestId) };
      return { attempt, ...(attempt.outcome !== 'unknown' && { reply: { answer, ...ended() } }) };
    } catch (error) {
      this.close();
      if (!client.isClosed || isInvalid(error)) this.#complain('an answer was not as it must be', error);
      return { attempt: { ...ended(), outcome: 'unknown', status: undefined, body: String(error) } };
    } finally {
      clearTimeout(leaving);
    }
  }

  #judge(
    { code, codes, clTRID, messages, frame }: EppAnswer,
    requestId: string,
  ): Pick<Attempt, 'outcome' | 'status' | 'body'> {
    if (clTRID !== requestId) this.#complain('an answer to another command', frame);
    if (FAULT.test(messages[0] ?? '')) this.#complain('a fault was answered', frame);
    const outcome = code < 2000 ? 'done' : code === UNAVAILABLE ? 'unknown' : 'refused';
    return { outcome, status: code, body: codes };
  }

  #sendHalf(client: EppClient, frame: string): void {
    const bytes = framed(frame);
    client.socket.write(bytes.subarray(0, 1 + this.#chance.below(bytes.length - 1)), () =>
      client.socket.destroy(),
    );
    this.#client = undefined;
  }

  /** Undefined when the world has ended. */
  async #connected(): Promise<EppClient | undefined> {
    while (!this.#world.ended) {
      if (this.#client && !this.#client.isClosed) return this.#client;
      this.#client = await this.#open();
      if (!this.#client) await sleep(RECONNECT_PAUSE_MS);
    }
    return undefined;
  }

  async #open(): Promise<EppClient | undefined> {
    const node = this.#world.place.node(this.#chance);
    const ca = node.eppAuthority();
    if (ca === undefined) return undefined;
    // A separate socket below TLS, since only that can be reset.
    const socket = connect(node.eppPort, '127.0.0.1');
    socket.on('error', () => {});
    this.#world.eppSockets.add(socket);
    socket.once('close', () => this.#world.eppSockets.delete(socket));
    const client = await EppClient.connect({ port: node.eppPort, ca, options: { socket } }).catch(
      (error: unknown) => {
        if (isInvalid(error)) this.#complain('an answer was not as it must be', error);
      },
    );
    if (!client) {
      socket.destroy();
      return undefined;
    }
    try {
      const { code, frame } = await client.logIn(this.#user, `${this.#user}-sandbox-password`);
      if (code === 1000) return client;
      if (!EXPECTED_AT_LOGIN.includes(code)) this.#complain('a login was refused', frame);
    } catch (error) {
      if (isInvalid(error)) this.#complain('an answer was not as it must be', error);
    }
    client.socket.destroy();
    return undefined;
  }

  #complain(finding: string, found: unknown): void {
    this.#world.journal.complain(finding, this.#who, String(found).slice(0, 600));
  }
}

const isInvalid = (error: unknown): boolean =>
  error instanceof Error && /^The answer (is invalid|to )/.test(error.message);
