import http, { type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type BoundedRequest, boundedRequest } from '../../../src/doors/http/bounded-request.ts';

const MIB = 1024 * 1024;
const Request = boundedRequest({
  mayTake: () => true,
  tooManyPieces: () => {},
  mayKeep: () => true,
  received: () => {},
  awaitTurn: (_request, read) => setImmediate(read),
});

/** A server, the pieces of bodies that have arrived at it, and a client of it that has announced a mebibyte. */
async function listen(handle: RequestListener<typeof Request>) {
  const pieces: Buffer[] = [];
  class Watched extends Request {
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk) pieces.push(chunk);
      return super.push(chunk, encoding);
    }
  }
  const server = http.createServer({ IncomingMessage: Watched }, handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => {});
  const state = { answer: '' };
  client.on('data', (chunk: Buffer) => {
    state.answer += chunk;
  });
  client.write(`POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${MIB}\r\n\r\n`);
  const lengths = () => [...new Set(pieces.map(({ length }) => length))];
  return { client, state, pieces, lengths };
}

test('success: a body is read whole', async () => {
  const { client, state } = await listen(async (request, response) => {
    response.end(String((await text(request)).length));
  });
  client.write(Buffer.alloc(MIB, 'a'));
  await vi.waitFor(() => expect(state.answer).toContain(String(MIB)));
});

test('success: what arrives of a body after its answer is released, and the connection goes on', async () => {
  const { client, state, pieces, lengths } = await listen((request, response) => {
    response.end(`answer to ${request.url}`);
  });
  client.write(Buffer.alloc(MIB, 'a'));
  client.write('GET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitFor(() => expect(state.answer).toContain('answer to /2'));
  expect(pieces.length).toBeGreaterThan(1);
  // Small ones are left to the garbage collector.
  expect(lengths().filter((length) => length > 16_384)).toEqual([]);
});

test('success: what has arrived is released when its connection is closed', async () => {
  let received: http.IncomingMessage | undefined;
  const { client, pieces, lengths } = await listen((request) => {
    received = request;
  });
  client.write(Buffer.alloc(100_000, 'a'));
  await vi.waitFor(() => expect(pieces.length).toBeGreaterThan(1));
  received?.socket.destroy();
  await vi.waitFor(() => expect(lengths()).toEqual([0]));
});

test('failure: what has arrived of a refused body is released, and its reader is told', async () => {
  let received: BoundedRequest | undefined;
  const { client, pieces, lengths } = await listen((request) => {
    received = request as BoundedRequest;
  });
  client.write(Buffer.alloc(100_000, 'a'));
  await vi.waitFor(() => expect(pieces.length).toBeGreaterThan(1));
  received?.refuseBody(new Error('too much'));
  expect(lengths()).toEqual([0]);
  const told = new Promise((resolve) => received?.on('error', resolve).on('data', () => {}));
  expect(await told).toEqual(new Error('too much'));
});
