import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Asked = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
export type Behaviour = (response: ServerResponse, asked: Asked) => void;

/** A provider that answers each request as scripted, and all further ones as the last. */
export async function standInProvider(...behaviours: Behaviour[]) {
  const asked: Asked[] = [];
  let ahead = behaviours;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    const now: Asked = { method, url, headers, body: Buffer.concat(chunks).toString() };
    asked.push(now);
    const [behaviour, ...others] = ahead;
    if (others.length > 0) ahead = others;
    behaviour?.(response, now);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (...next: Behaviour[]) => {
      ahead = next;
    },
  };
}

export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
export const hangsUp: Behaviour = (response) => response.destroy();
export const keepsSilent: Behaviour = () => {};
/** Starts its answer and never completes it. */
export const breaksOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"payment_reference":');
};
export const neverEnds: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};
