import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ignoreBodyUntilClosed, ignoreRequestsUntilClosed } from '../../src/platform/node-http.ts';
import { head, postHead } from '../support/attacks/raw-connection.ts';

/** A server that answers with the body of a request, and how to send it bytes and have its answer. */
async function listen(Request: typeof IncomingMessage, handle: RequestListener) {
  const server = createServer({ IncomingMessage: Request }, handle);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (bytes: string) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => {});
    socket.write(bytes);
    return await text(socket).catch(() => '');
  };
}

const echo: RequestListener = async (request, response) => {
  response.end(await text(request).catch(() => ''));
};

test('success: no piece of a body is told of after it is ignored, and the next connection has all of its own', async () => {
  const pieces = new Map<Socket, number>();
  class Counted extends IncomingMessage {
    override push(chunk: Buffer | null): boolean {
      const count = (pieces.get(this.socket) ?? 0) + 1;
      pieces.set(this.socket, count);
      if (count < 10) return super.push(chunk);
      ignoreBodyUntilClosed(this.socket);
      this.socket.destroy();
      return false;
    }
  }
  const send = await listen(Counted, echo);
  await send(head('POST /', ['Transfer-Encoding: chunked']) + '1\r\na\r\n'.repeat(1_000));
  expect([...pieces.values()]).toEqual([10]);
  expect(await send(`${postHead('/', 5, ['Connection: close'])}hello`)).toContain('hello');
});

test('success: no request is made after requests are ignored, and the next connection has its own', async () => {
  let made = 0;
  class Counted extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      made += 1;
    }
  }
  const send = await listen(Counted, (request, response) => {
    if (request.url !== '/3') return echo(request, response);
    ignoreRequestsUntilClosed(request.socket);
    request.socket.destroy();
  });
  await send(Array.from({ length: 1_000 }, (_, index) => head(`GET /${index + 1}`)).join(''));
  expect(made).toBe(3);
  expect(await send(`${postHead('/', 5, ['Connection: close'])}hello`)).toContain('hello');
});
