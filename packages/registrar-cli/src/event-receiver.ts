import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, type WebhookEvent } from 'cadastre-sdk';
import type { Forwarded, SignedRequest } from './forward.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** How an event is handled: what is answered to the registry. */
export type Handler = (event: WebhookEvent, request: SignedRequest) => Promise<Forwarded>;

/** The headers that are passed on unchanged. */
const PASSED_ON = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Receives events on this machine only, at a path that nobody can guess, and refuses what is not signed. */
export class EventReceiver {
  /** Tells this receiver from any other that is on the same port later. */
  readonly token = randomBytes(12).toString('hex');
  /** Known once the endpoint is made. */
  secret: string | undefined;
  readonly #server: http.Server;
  readonly #handle: Handler;
  readonly #refused: (reason: string) => void;

  constructor(handle: Handler, refused: (reason: string) => void) {
    this.#handle = handle;
    this.#refused = refused;
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((listening, failed) => {
      this.#server.once('error', failed);
      this.#server.listen(port, '127.0.0.1', listening);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.token}`;
  }

  /** Waits for what is being answered. */
  async close(): Promise<void> {
    await new Promise<void>((closed) => {
      this.#server.close(() => closed());
      this.#server.closeIdleConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.endsWith(`/${this.token}`)) return void response.writeHead(404).end();
    // Another run asks whether this one still lives.
    if (request.method === 'GET') return void response.writeHead(200).end(this.token);
    const body = await readBody(request);
    if (!body) return void response.writeHead(413).end();
    try {
      if (this.secret === undefined) return void response.writeHead(503).end();
      const event = verifyWebhook({ secrets: this.secret, headers: request.headers, body });
      const headers = Object.fromEntries(
        PASSED_ON.map((name) => [name, String(request.headers[name] ?? '')]),
      );
      const { status, retryAfter } = await this.#handle(event, { headers, body });
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    } catch (error) {
      this.#refused(error instanceof Error ? error.message : String(error));
      response.writeHead(400).end();
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const PROBE_TIMEOUT_MS = 2_000;
const MAX_PROBE_BYTES = 100;

/** Whether the receiver that an endpoint was made for still answers. */
export async function isAlive(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return reply.status === 200 && url.endsWith(`/${await beginningOf(reply)}`);
  } catch {
    return false;
  }
}

/** Something else may listen there by now, and answer without an end. */
async function beginningOf(reply: Response): Promise<string> {
  for await (const chunk of reply.body ?? []) return Buffer.from(chunk).toString('utf8', 0, MAX_PROBE_BYTES);
  return '';
}
