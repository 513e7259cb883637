import type { EppClient } from '../../support/epp.ts';
import { type EppAnswer, readAnswer } from '../../support/epp-answer.ts';
import { type EppCommand, envelope, type LogInOptions, logInCommand } from '../../support/epp-frames.ts';
import { schemaViolations } from '../../support/epp-schemas.ts';
import { Recording, shortened, withoutRuns } from './recording.ts';

const CLIENT_ID = 'RECORDED';
/** What every answer to a command has around its parts; another frame is recorded as a whole. */
const AROUND =
  /^<\?xml version="1\.0" encoding="UTF-8" standalone="no"\?><epp xmlns="([^"]*)"><response>(.*)<trID><clTRID>RECORDED<\/clTRID><svTRID>[0-9a-f-]{36}<\/svTRID><\/trID><\/response><\/epp>$/s;
const IETF_ENVELOPE = 'urn:ietf:params:xml:ns:epp-1.0';

type Session = { readonly client: EppClient; readonly user: string };

/** Sends frames one after the other over real sessions and records the answers. */
export class EppRecorder {
  readonly #recording = new Recording();
  /** Opens a connection, with the certificate of a user if there is one. */
  readonly connect: (user?: string) => Promise<EppClient>;
  readonly #sessions = new Map<string, EppClient>();
  /** Answers that violate the schemas. */
  readonly complaints: string[] = [];

  constructor(connect: (user?: string) => Promise<EppClient>) {
    this.connect = connect;
  }

  get count(): number {
    return this.#recording.count;
  }

  get text(): string {
    return this.#recording.text;
  }

  /** Logs in with all services that the greeting announces, unless told otherwise. */
  async logIn(user: string, options: LogInOptions = {}): Promise<EppAnswer> {
    const client = await this.connect(user);
    this.#sessions.set(user, client);
    const [command, ...extensions] = logInCommand(user, `${user}-sandbox-password`, client.greeting, options);
    return this.#exchange({ client, user }, command, extensions);
  }

  /** A command in the session of a user. */
  send(user: string, command: EppCommand, ...extensions: readonly string[]): Promise<EppAnswer> {
    return this.#exchange({ client: this.session(user), user }, command, extensions);
  }

  /** A command on a connection that has not logged in. */
  sendFirst(
    client: EppClient,
    user: string,
    command: EppCommand,
    ...extensions: readonly string[]
  ): Promise<EppAnswer> {
    return this.#exchange({ client, user }, command, extensions);
  }

  /** The session of a user who has logged in. */
  session(user: string): EppClient {
    const client = this.#sessions.get(user);
    if (client === undefined) throw new Error(`${user} has not logged in`);
    return client;
  }

  /** A command after which the server ends the connection. */
  async sendLast(
    client: EppClient,
    user: string,
    command: EppCommand,
    ...extensions: readonly string[]
  ): Promise<void> {
    await this.#exchange({ client, user }, command, extensions, 'the connection is closed');
  }

  async sendAll(user: string, commands: readonly (readonly [EppCommand, ...string[]])[]): Promise<void> {
    for (const [command, ...extensions] of commands) await this.send(user, command, ...extensions);
  }

  /** A frame as it is, and the whole answer. */
  async sendFrame({ client, user }: Session, frame: string | Uint8Array): Promise<void> {
    const answer = await this.#answerTo(client, frame);
    const shown = typeof frame === 'string' ? frame : `(bytes) ${Buffer.from(frame).toString('hex')}`;
    this.#recording.add([`### ${user}`, `> ${shortened(shown)}`, ...linesOf(answer)]);
  }

  addGreeting({ greeting }: EppClient): void {
    this.#recording.add([
      '### the greeting',
      ...greeting.frame.split(/(?<=>)(?=<(?:svcMenu|objURI|svcExtension|extURI|dcp)>)/),
    ]);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((client) => client.close()));
  }

  async #exchange(
    { client, user }: Session,
    command: EppCommand,
    extensions: readonly string[],
    last?: string,
  ): Promise<EppAnswer> {
    const answer = await this.#answerTo(client, envelope(command, extensions, CLIENT_ID));
    if (last !== undefined) await client.closed();
    const { envelope: namespace = IETF_ENVELOPE, body } = command;
    const [, answered, content] = AROUND.exec(answer) ?? [];
    const dialect = namespace === IETF_ENVELOPE ? 'ietf' : 'ee';
    const extension = extensions.length === 0 ? '' : `<extension>${extensions.join('')}</extension>`;
    this.#recording.add([
      `### ${user}, ${dialect}`,
      `> ${shortened(withoutRuns((body + extension).replace(/\n\s*/g, '')))}`,
      ...(answered === namespace && content !== undefined ? linesOf(content) : linesOf(answer)),
      ...(last === undefined ? [] : [`(${last})`]),
    ]);
    return readAnswer(answer);
  }

  async #answerTo(client: EppClient, frame: string | Uint8Array): Promise<string> {
    client.write(frame);
    const answer = await client.frame();
    const violations = await schemaViolations(answer);
    this.complaints.push(...violations.map((each) => `${each}\n${answer}`));
    return answer;
  }
}

/** A line for each part of the answer. */
const linesOf = (frame: string): string[] =>
  withoutRuns(frame).split(/(?<=>)(?=<(?:result|msgQ|resData|extension|trID)[ >])/);
