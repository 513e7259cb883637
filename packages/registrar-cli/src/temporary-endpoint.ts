import { setTimeout as sleep } from 'node:timers/promises';
import { type NewWebhook, Refusal, type Registry, RegistryError } from 'cadastre-sdk';
import { Failed } from './command.ts';
import { isAlive } from './event-receiver.ts';

/** Marks endpoints that a killed run left behind. */
export const DESCRIPTION = 'cadastre-registrar webhooks listen';
const ARRIVAL_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 200;
const CHECK_INTERVAL_MS = 15_000;
const DELETE_TIMEOUT_MS = 5_000;

type Surroundings = {
  /** Where the registry posts to. */
  readonly url: string;
  /** Where that must lead. */
  readonly localUrl: string;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
};

/** An endpoint that exists as long as the command that made it. */
export class TemporaryEndpoint {
  readonly #registry: Registry;
  readonly #around: Surroundings;
  id = '';

  constructor(registry: Registry, around: Surroundings) {
    this.#registry = registry;
    this.#around = around;
  }

  /** Those whose command was killed: a registrar has ten, and the registry goes on trying them. */
  async deleteLeftOvers(): Promise<void> {
    const { signal, say } = this.#around;
    const { webhooks } = (await this.#registry.webhooks.list({ signal })).data;
    for (const { id, url } of webhooks.filter(({ description }) => description === DESCRIPTION)) {
      if (await isAlive(url)) continue;
      await this.#registry.webhooks.delete(id, { signal });
      say(`${id} of an earlier run is deleted`);
    }
  }

  async create(types: NewWebhook['event_types']): Promise<string> {
    const { url, localUrl } = this.#around;
    const webhook = { url, description: DESCRIPTION, event_types: types };
    // Without the signal: an answer that is lost would leave an endpoint behind.
    const result = await this.#registry.webhooks.create(webhook).result();
    if (!result.ok) {
      const { refusal } = result;
      if (!refusal.errors.some(({ field }) => field === 'webhook.url')) throw refusal;
      throw new Failed(
        `The registry does not post to ${url}: ${refusal.message}. Give it --public-url, an https address that leads to ${localUrl}, and --port`,
      );
    }
    this.id = result.data.webhook.id;
    return result.data.webhook.secret;
  }

  /** Has a test event sent, and fails if it does not arrive. */
  async requireArrival(hasArrived: () => boolean): Promise<void> {
    const { signal, url } = this.#around;
    const { webhooks } = this.#registry;
    const { event_id } = (await webhooks.test(this.id, { signal })).data.delivery;
    const until = performance.now() + ARRIVAL_TIMEOUT_MS;
    while (!hasArrived()) {
      await sleep(POLL_INTERVAL_MS, undefined, { signal });
      const { last_error } = (await webhooks.delivery(this.id, event_id, { signal })).data.delivery;
      if (hasArrived()) return;
      if (last_error !== null) throw new Failed(`The registry does not reach ${url}: ${last_error}`);
      if (performance.now() > until)
        throw new Failed(`The registry has sent nothing to ${url} for ${ARRIVAL_TIMEOUT_MS / 1_000} s`);
    }
  }

  /** Until the signal; fails when the endpoint is deleted or disabled by somebody else. */
  async watch(intervalMs = CHECK_INTERVAL_MS): Promise<void> {
    const { signal, say } = this.#around;
    let isSaid = false;
    for (;;) {
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { webhook } = (await this.#registry.webhooks.read(this.id, { signal })).data;
        if (!webhook.enabled) throw new Failed(`${this.id} was disabled: ${webhook.disabled_reason}`);
        isSaid = false;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal && error.has('objectMissing'))
          throw new Failed(`${this.id} was deleted, or the sandbox was reset: start again`);
        if (!(error instanceof RegistryError) || error instanceof Refusal) throw error;
        if (!isSaid) say(`${error.message}; still listening`);
        isSaid = true;
      }
    }
  }

  async delete(): Promise<void> {
    try {
      await this.#registry.webhooks.delete(this.id, { timeoutMs: DELETE_TIMEOUT_MS });
    } catch (error) {
      if (error instanceof Refusal && error.has('objectMissing')) return;
      const why = error instanceof Error ? error.message : String(error);
      this.#around.say(`${this.id} was not deleted: ${why}. The next run of this command does it`);
    }
  }
}
