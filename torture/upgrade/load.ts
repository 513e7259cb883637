import { setTimeout as sleep } from 'node:timers/promises';
import { newContact } from '../../test/support/contacts.ts';
import { freshName, newDomain } from '../../test/support/domains.ts';
import { fetchAs } from '../registrar-request.ts';

const REQUEST_TIMEOUT_MS = 60_000;
/** Between two requests of one client, so that they do not use the processors up. */
const PAUSE_MS = 5;

const READS = [
  '/domains?limit=50',
  '/contacts?limit=50',
  '/accounts/balance',
  '/registrar/notifications/all_notifications',
  '/invoices',
];

type Answered = {
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly what: string;
};
type Body = { readonly data: { readonly contact: { readonly code: string } } };

/** Clients that read and write continuously, each at any server that accepts requests. */
export class Load {
  readonly answered: Answered[] = [];
  /** Names whose registration was acknowledged. */
  readonly registered: string[] = [];
  #targets: readonly string[] = [];
  readonly #underWay = new Map<string, number>();
  #clients: Promise<unknown> = Promise.resolve();
  #isOver = false;

  start(targets: readonly string[], writers: number, readers: number): void {
    this.#targets = targets;
    const registrars = ['alpha', 'beta'];
    const times = (count: number, client: (registrar: string) => Promise<void>) =>
      Array.from({ length: count }, (_, index) => client(registrars[index % registrars.length] ?? 'alpha'));
    this.#clients = Promise.all([
      ...times(writers, (registrar) => this.#write(registrar)),
      ...times(readers, (registrar) => this.#read(registrar)),
    ]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  add(url: string): void {
    this.#targets = [...this.#targets, url];
  }

  /** As a load balancer does before a server is stopped: no further requests, and those under way are answered. */
  async drain(url: string): Promise<void> {
    this.#targets = this.#targets.filter((target) => target !== url);
    while ((this.#underWay.get(url) ?? 0) > 0) await sleep(1);
  }

  async #write(registrar: string): Promise<void> {
    while (!this.#isOver) {
      const created = await this.#send(registrar, 'POST', '/contacts', newContact());
      const code = (created as Body | undefined)?.data.contact.code;
      if (code === undefined) continue;
      const name = freshName();
      if ((await this.#send(registrar, 'POST', '/domains', newDomain(code, { name }))) === undefined)
        continue;
      this.registered.push(name);
      await this.#send(registrar, 'POST', '/domains/renew/bulk', { domains: [name], renew_period: '1y' });
      await this.#send(registrar, 'PUT', `/contacts/${code}`, { contact: { email: 'new@example.ee' } });
      await this.#send(registrar, 'GET', `/domains/${name}`);
    }
  }

  async #read(registrar: string): Promise<void> {
    while (!this.#isOver) for (const path of READS) await this.#send(registrar, 'GET', path);
  }

  /** The answer of a success; undefined otherwise. */
  async #send(registrar: string, method: string, path: string, body?: unknown): Promise<unknown> {
    const target = this.#targets[Math.floor(Math.random() * this.#targets.length)] ?? '';
    this.#underWay.set(target, (this.#underWay.get(target) ?? 0) + 1);
    const at = performance.now();
    const end = (status: number, detail = '') =>
      this.answered.push({ at, ms: performance.now() - at, status, what: `${method} ${path} ${detail}` });
    try {
      const reply = await fetchAs(
        target,
        registrar,
        { method, path, body },
        { timeoutMs: REQUEST_TIMEOUT_MS },
      );
      const text = await reply.text();
      end(reply.status, reply.ok ? '' : text.slice(0, 300));
      return reply.ok ? JSON.parse(text) : undefined;
    } catch (error) {
      end(0, String((error as Error).cause ?? error));
      return undefined;
    } finally {
      this.#underWay.set(target, (this.#underWay.get(target) ?? 1) - 1);
      await sleep(PAUSE_MS);
    }
  }
}
