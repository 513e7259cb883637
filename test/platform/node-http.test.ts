import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ignoreBodyUntilClosed } from '../../src/platform/node-http.ts';
import { head, postHead } from '../support/attacks/raw-connection.ts';

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
  const server = createServer({ IncomingMessage: Counted }, async (request, response) => {
    response.end(await text(request).catch(() => ''));
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = async (bytes: string) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => {});
    socket.write(bytes);
    return await text(socket).catch(() => '');
  };
  await send(head('POST /', ['Transfer-Encoding: chunked']) + '1\r\na\r\n'.repeat(1_000));
  expect([...pieces.values()]).toEqual([10]);
  expect(await send(`${postHead('/', 5, ['Connection: close'])}hello`)).toContain('hello');
});
