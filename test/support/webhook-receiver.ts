import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { onTestFinished } from './this-test.ts';

export type Received = {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Record<string, unknown>;
  };
  readonly at: number;
};
type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang';

/** A receiver of webhooks, ended with its test. */
export class WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  /** What the next requests are answered with; the last one stays. */
  answers: Answer[] = [{ status: 204 }];
  /** The most requests that were under way at once. */
  mostAtOnce = 0;
  #atOnce = 0;

  private constructor(url: string, received: Received[]) {
    this.url = url;
    this.received = received;
  }

  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<WebhookReceiver> {
    const received: Received[] = [];
    let receiver: WebhookReceiver | undefined;
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        if (!receiver) return;
        received.push(receiver.#read(request.headers, Buffer.concat(chunks).toString()));
        const [answer = 'hang'] = receiver.answers;
        if (receiver.answers.length > 1) receiver.answers.shift();
        receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++receiver.#atOnce);
        response.on('close', () => receiver && receiver.#atOnce--);
        if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    };
    const server = tls ? createSecureServer(tls, listener) : createServer(listener);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    receiver = new WebhookReceiver(`${tls ? 'https' : 'http'}://127.0.0.1:${port}/events`, received);
    return receiver;
  }

  get types(): string[] {
    return this.received.map(({ event }) => event.type);
  }

  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  /** The first event of a type, once it is there. */
  async event(type: string): Promise<Received> {
    await expect.poll(() => this.types).toContain(type);
    return this.received.find(({ event }) => event.type === type) ?? expect.fail(type);
  }

  #read(headers: IncomingHttpHeaders, body: string): Received {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    return {
      id: String(headers['webhook-id']),
      headers: texts,
      body,
      at: performance.now(),
      event: JSON.parse(body),
    };
  }
}
