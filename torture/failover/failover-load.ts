import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newContact } from '../../test/support/contacts.ts';
import { newDomain } from '../../test/support/domains.ts';
import { type Attempt, type Effect, type Intent, Journal } from '../journal.ts';
import type { RegistrarRequest } from '../registrar-request.ts';
import { sendRequest } from './send-request.ts';

const REGISTRARS = ['alpha', 'beta'];
/** Between two requests of one client, so that they do not use the processors up. */
const PAUSE_MS = 10;
/** So short that the first write after a failover is not late because of its client. */
const RETRY_INTERVAL_MS = 25;
const MAX_RETRY_MS = 60_000;
/** A reader lists what was just written; without writes, as in an outage, earlier names. */
const MAX_IDLE_MS = 50;
const KEYED_OF_ALL = 0.75;
/** The names of a writer have a prefix that changes after so many: a list of that prefix stays short. */
const NAMES_PER_PREFIX = 25;

type Kind = 'domains' | 'contacts';
type Reply = { readonly data: Readonly<Record<string, unknown>> };
/** The list that a registrar got, and the domains known to be its own at the request. */
export type ListRead = Pick<Attempt, 'sentAt' | 'endedAt'> & {
  readonly kind: Kind;
  readonly expected: readonly string[];
  /** Undefined where no list was answered. */
  readonly listed: ReadonlySet<string> | undefined;
};
type Prefix = {
  readonly registrar: string;
  readonly text: string;
  readonly acknowledged: Record<Kind, string[]>;
};

/** Writers that note what was acknowledged, and readers that list what has just been written. */
export class FailoverLoad {
  readonly journal = new Journal();
  readonly lists: ListRead[] = [];
  readonly #run = randomBytes(4).toString('hex');
  readonly #targets: readonly string[];
  /** The newest of each writer. */
  readonly #prefixes: Prefix[] = [];
  readonly #clients: Promise<unknown>;
  /** Readers that wait for the next acknowledgement. */
  readonly #idle: ((list: () => Promise<void>) => void)[] = [];
  #requests = 0;
  #isOver = false;

  constructor(targets: readonly string[], writers: number, readers: number) {
    this.#targets = targets;
    const times = (count: number, client: (index: number) => Promise<void>) =>
      Array.from({ length: count }, (_, index) => client(index));
    this.#clients = Promise.all([
      ...times(writers, (writer) => this.#write(writer)),
      ...times(readers, () => this.#read()),
    ]);
  }

  get #target(): string {
    return this.#targets[Math.floor(Math.random() * this.#targets.length)] ?? '';
  }

  /** Resolves when every client has its last answer, or has given up. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  /** Whether a write and a list that were sent after a moment have been answered. */
  hasAnsweredSince(moment: number): boolean {
    const isLater = ({ sentAt }: Pick<Attempt, 'sentAt'>) => sentAt > moment;
    return (
      this.lists.some((list) => list.listed !== undefined && isLater(list)) &&
      this.journal.intents.some(({ attempts }) =>
        attempts.some((attempt) => attempt.outcome === 'done' && isLater(attempt)),
      )
    );
  }

  async #write(writer: number): Promise<void> {
    const registrar = REGISTRARS[writer % REGISTRARS.length] ?? '';
    for (let count = 0; !this.#isOver; count++) {
      if (count % NAMES_PER_PREFIX === 0) {
        const text = `t${this.#run}-${writer}-${count / NAMES_PER_PREFIX}-`;
        this.#prefixes[writer] = { registrar, text, acknowledged: { domains: [], contacts: [] } };
      }
      const prefix = this.#prefixes[writer] as Prefix;
      await this.#register(writer, prefix, `${prefix.text}${count % NAMES_PER_PREFIX}`);
    }
  }

  /** A contact, its domain, a renewal and a change: each has one row in history. */
  async #register(writer: number, prefix: Prefix, label: string): Promise<void> {
    const { registrar } = prefix;
    const want = (
      what: string,
      request: RegistrarRequest,
      promised: (data: Reply['data']) => readonly Effect[],
    ) => this.#want(`${registrar}-${writer}`, registrar, what, request, promised);
    const name = `${label}.ee`;
    const contact = await want(
      'create contact',
      { method: 'POST', path: '/contacts', body: newContact({ id: label }) },
      (data) => [{ operation: 'create', name: codeIn(data) }],
    );
    if (contact === undefined) return;
    const code = codeIn(contact);
    this.#acknowledge('contacts', prefix, code);
    const domain = { method: 'POST', path: '/domains', body: newDomain(code, { name }) };
    if ((await want('register', domain, () => [{ operation: 'create', name }])) === undefined) return;
    this.#acknowledge('domains', prefix, name);
    const renewal = { domains: [name], renew_period: '3m' };
    await want('renew', { method: 'POST', path: '/domains/renew/bulk', body: renewal }, () => [
      { operation: 'renew', name },
    ]);
    const change = { contact: { email: `${label}@example.ee` } };
    await want('update contact', { method: 'PUT', path: `/contacts/${code}`, body: change }, () => [
      { operation: 'update', name: code },
    ]);
  }

  /** With an idempotency key it is retried until an answer comes; without one it is sent once. Undefined unless it was done. */
  async #want(
    who: string,
    registrar: string,
    what: string,
    request: RegistrarRequest,
    promised: (data: Reply['data']) => readonly Effect[],
  ): Promise<Reply['data'] | undefined> {
    const key = Math.random() < KEYED_OF_ALL ? `${this.#run}-${this.journal.intents.length}` : undefined;
    const intent = this.journal.begin(who, what, key);
    const giveUpAt = Date.now() + MAX_RETRY_MS;
    await sleep(PAUSE_MS);
    let last = await this.#attempt(registrar, request, intent);
    while (key !== undefined && last.outcome === 'unknown' && Date.now() < giveUpAt) {
      await sleep(RETRY_INTERVAL_MS);
      last = await this.#attempt(registrar, request, intent);
    }
    if (last.outcome !== 'done') return undefined;
    const { data } = last.body as Reply;
    this.journal.promised.set(intent, promised(data));
    return data;
  }

  async #attempt(registrar: string, request: RegistrarRequest, intent: Intent): Promise<Attempt> {
    this.#requests += 1;
    const requestId = `torture-${this.#run}-${this.#requests}`;
    const headers = {
      'x-request-id': requestId,
      ...(intent.key !== undefined && { 'idempotency-key': intent.key }),
    };
    const attempt = { requestId, ...(await sendRequest(this.#target, registrar, request, headers)) };
    intent.attempts.push(attempt);
    if (attempt.status === 500)
      this.journal.complain('an answer of 500', intent.what, JSON.stringify(attempt.body));
    return attempt;
  }

  #acknowledge(kind: Kind, prefix: Prefix, name: string): void {
    prefix.acknowledged[kind].push(name);
    this.#idle.shift()?.(() => this.#list(kind, prefix));
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<() => Promise<void>>();
      this.#idle.push(resolve);
      const timer = setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(resolve), 1);
        resolve(() => this.#listAny());
      }, MAX_IDLE_MS);
      const list = await promise;
      clearTimeout(timer);
      await list();
    }
  }

  async #listAny(): Promise<void> {
    const prefix = this.#prefixes[Math.floor(Math.random() * this.#prefixes.length)];
    if (prefix !== undefined) await this.#list(Math.random() < 0.5 ? 'domains' : 'contacts', prefix);
  }

  async #list(kind: Kind, { registrar, text, acknowledged }: Prefix): Promise<void> {
    const expected = [...acknowledged[kind]];
    const { outcome, body, sentAt, endedAt } = await sendRequest(this.#target, registrar, {
      method: 'GET',
      path: `/${kind}?q=${text}`,
    });
    const listed = outcome === 'done' ? new Set((body as Reply).data[kind] as string[]) : undefined;
    this.lists.push({ kind, expected, listed, sentAt, endedAt });
  }
}

const codeIn = (data: Reply['data']): string => (data.contact as { readonly code: string }).code;
