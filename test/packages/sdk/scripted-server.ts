import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from '../../support/this-test.ts';

export type Step =
  | { readonly status: number; readonly headers?: http.OutgoingHttpHeaders; readonly body?: string | Buffer }
  /** Closes the connection without an answer, or within its body. */
  | 'break'
  | 'break within'
  /** Never answers. */
  | 'hang'
  /** Never stops answering. */
  | 'endless';

export type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Whether its connection was closed. */
  readonly isClosed: () => boolean;
};

export const ok = (data: unknown = { balance: '1.00', currency: 'EUR' }): Step => ({
  status: 200,
  body: JSON.stringify({ code: 1000, message: 'Command completed successfully', data }),
});

export const refused = (status: number, reason?: string, headers = {}): Step => ({
  status,
  headers,
  body: JSON.stringify({
    code: 2005,
    message: 'refused',
    data: {},
    ...(reason && { errors: [{ code: 2005, message: 'refused', field: null, reason }] }),
  }),
});

/** A server that answers each request with the next step, and repeats the last one. */
export async function startScriptedServer(
  ...steps: [Step, ...Step[]]
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    received.push({
      method,
      url,
      headers,
      body: Buffer.concat(chunks).toString(),
      isClosed: () => response.destroyed,
    });
    const step = steps[Math.min(received.length, steps.length) - 1] ?? 'break';
    if (step === 'hang') return;
    if (step === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => void response.write(' '.repeat(65_536), (error) => (error ? undefined : more()));
      return more();
    }
    if (step === 'break') return void request.socket.destroy();
    if (step === 'break within') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
      return void response.write('{"code":1000,', () => request.socket.destroy());
    }
    response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers }).end(step.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
