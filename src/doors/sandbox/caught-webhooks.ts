import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { wallClock } from '../../platform/clock/clock.ts';
import type { Faults } from './faults.ts';

export type WebhookPowers = {
  readonly faults: Faults;
  readonly caughtWebhooks: CaughtWebhooks;
  /** Sends due events, so that they are not waited for. */
  readonly sendWebhooks: () => Promise<void>;
};

/** A request as it came: its signature is over the bytes of the body. */
type CaughtWebhook = {
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const MAX_REMEMBERED = 1_000;

/** What came to the catcher, until the reset. */
export class CaughtWebhooks {
  readonly #caught: CaughtWebhook[] = [];

  add(webhook: CaughtWebhook): void {
    this.#caught.push(webhook);
    if (this.#caught.length > MAX_REMEMBERED) this.#caught.shift();
  }

  /** Newest first. */
  list(): CaughtWebhook[] {
    return this.#caught.toReversed();
  }

  clear(): void {
    this.#caught.length = 0;
  }
}

const SLOW_MS = 5_000;
/** Many times the size of an event. */
const BODY_LIMIT = 65_536;

/** As a proxy answers whose server is down. */
const BAD_GATEWAY =
  '<html><head><title>502 Bad Gateway</title></head>\n<body><center><h1>502 Bad Gateway</h1></center></body></html>\n';

/** A receiver of webhooks for those who have none yet, which verifies nothing, and one that does not work. */
export function webhookRoutes(app: FastifyInstance, powers: WebhookPowers): void {
  const { faults, caughtWebhooks, sendWebhooks } = powers;
  app.get('/sandbox/webhooks', async () => {
    await sendWebhooks();
    return caughtWebhooks.list();
  });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) =>
      parsed(null, String(text)),
    );
    scope.post(
      '/sandbox/webhooks/catch',
      { bodyLimit: BODY_LIMIT },
      async ({ headers, body, raw }, reply) => {
        const fault = faults.next('webhook');
        if (fault === 'down') {
          reply.hijack();
          raw.socket.destroy();
          return reply;
        }
        if (fault === 'slow') await sleep(SLOW_MS);
        if (fault === 'error') return reply.code(500).send({ error: 'A fault of the sandbox.' });
        caughtWebhooks.add({
          // As the timestamp of the event's signature, which follows the wall clock.
          received_at: wallClock.now().toISOString(),
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
          body: typeof body === 'string' ? body : '',
        });
        return reply.code(204).send();
      },
    );
    scope.post('/sandbox/webhooks/refuse', { bodyLimit: BODY_LIMIT }, async (_request, reply) =>
      reply.code(502).type('text/html; charset=utf-8').send(BAD_GATEWAY),
    );
  });
}
