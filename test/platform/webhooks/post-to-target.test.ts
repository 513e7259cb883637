import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'vitest';
import { postToTarget, type Resolve } from '../../../src/platform/webhooks/post-to-target.ts';
import { TargetResolver } from '../../../src/platform/webhooks/target-resolver.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';
import { NameServer } from '../../support/name-server.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const PRODUCTION = { allowedNetworks: [], allowsLoopback: false };
const SANDBOX = { allowedNetworks: [], allowsLoopback: true };
const post = (url: string, options: Partial<Parameters<typeof postToTarget>[3]> = {}) =>
  postToTarget(
    url,
    '{"type":"a"}',
    { 'webhook-id': 'msg_1' },
    { rules: SANDBOX, timeoutMs: 20_000, resolve: scripted([]).resolve, ...options },
  );

/** A resolver that answers each query with the next of these lists. */
function scripted(...answers: string[][]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = async (host) => {
    asked.push(host);
    const found = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked };
}

const FORBIDDEN = { name: 'TargetFailure', fault: 'target not allowed' };

describe.concurrent('a POST to an untrusted URL', () => {
  test('success: one request with its body; the result has the status and Retry-After', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [{ status: 200 }, { status: 503, headers: { 'retry-after': '7' }, body: 'õhtul' }];
    expect(await post(receiver.url)).toEqual({ status: 200, retryAfter: undefined, body: '' });
    expect(await post(receiver.url)).toEqual({ status: 503, retryAfter: '7', body: 'õhtul' });
    expect(receiver.received[0]).toMatchObject({ id: 'msg_1', body: '{"type":"a"}' });
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      connection: 'close',
      'content-length': '12',
    });
  });

  test('success: of a long answer only the beginning is read', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [{ status: 500, body: 'x'.repeat(100_000) }];
    expect((await post(receiver.url)).body).toBe('x'.repeat(4_096));
  });

  test('failure: what answers in a network that is only allowed is not read', async () => {
    const identity = await selfSigned('inside.example');
    const receiver = await WebhookReceiver.start(identity);
    receiver.answers = [{ status: 500, body: 'of our own' }];
    const { port } = new URL(receiver.url);
    const { resolve } = scripted(['127.0.0.1']);
    const rules = { allowedNetworks: ['127.0.0.1'], allowsLoopback: false };
    const answer = await post(`https://inside.example:${port}/`, { rules, ca: identity.cert, resolve });
    expect(answer).toMatchObject({ status: 500, body: '' });
  });

  test('failure: redirects are not followed', async () => {
    const other = await WebhookReceiver.start();
    const receiver = await WebhookReceiver.start();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answers = [{ status, headers: { location: other.url } }];
      expect((await post(receiver.url)).status).toBe(status);
    }
    expect(other.received).toEqual([]);
  });

  test.each([
    ['a private address', ['10.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['loopback', ['127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['ULA', ['fd00::1']],
    ['a public and a private address', ['8.8.8.8', '192.168.0.1']],
    ['nothing that is an address', ['localhost']],
  ])('failure: a name that resolves to %s is not connected to', async (_, addresses) => {
    const { resolve, asked } = scripted(addresses);
    const attempt = post('https://rebind.example/', { rules: PRODUCTION, resolve });
    await expect(attempt).rejects.toMatchObject(FORBIDDEN);
    expect(asked).toEqual(['rebind.example']);
  });

  test('failure: a name that changes its address after the check is connected to as checked, and refused the next time', async () => {
    const identity = await selfSigned('rebind.example');
    const receiver = await WebhookReceiver.start(identity);
    const { port } = new URL(receiver.url);
    const options = { rules: { allowedNetworks: ['127.0.0.1'], allowsLoopback: false }, ca: identity.cert };
    const { resolve, asked } = scripted(['127.0.0.1'], ['169.254.169.254']);
    const url = `https://rebind.example:${port}/`;
    expect(await post(url, { ...options, resolve })).toMatchObject({ status: 204 });
    expect(asked).toEqual(['rebind.example']);
    await expect(post(url, { ...options, resolve })).rejects.toThrow(
      'target not allowed: rebind.example has the address 169.254.169.254',
    );
    expect(receiver.received).toHaveLength(1);
  });

  test('failure: an untrusted certificate, or one of another name, receives no request', async () => {
    const identity = await selfSigned('hooks.example');
    const receiver = await WebhookReceiver.start(identity);
    const { port } = new URL(receiver.url);
    const options = {
      rules: { allowedNetworks: ['127.0.0.1'], allowsLoopback: false },
      ...scripted(['127.0.0.1']),
    };
    await expect(post(`https://hooks.example:${port}/`, options)).rejects.toThrow(
      'not secured: self-signed certificate',
    );
    const trusting = { ...options, ca: identity.cert };
    await expect(post(`https://other.example:${port}/`, trusting)).rejects.toThrow(
      'not secured: Hostname/IP does not match',
    );
    expect(receiver.received).toEqual([]);
    expect((await post(`https://hooks.example:${port}/`, trusting)).status).toBe(204);
  });

  test('failure: a URL that is not allowed any more is not used', async () => {
    const receiver = await WebhookReceiver.start();
    await expect(post(receiver.url, { rules: PRODUCTION })).rejects.toMatchObject(FORBIDDEN);
    expect(receiver.received).toEqual([]);
  });

  test('failure: neither a silent receiver nor a resolver takes longer than the timeout', async () => {
    const silent = await WebhookReceiver.start();
    silent.answers = ['hang'];
    await expect(post(silent.url, { timeoutMs: 100 })).rejects.toMatchObject({ fault: 'time is up' });
    const { address } = await NameServer.start({ 'slow.example': { silent: ['A', 'AAAA'] } });
    const resolver = new TargetResolver({ servers: [address], timeoutMs: 600_000 });
    const resolve: Resolve = (host, signal) => resolver.resolve(host, { owner: 1, signal });
    await expect(
      post('https://slow.example/', { rules: PRODUCTION, resolve, timeoutMs: 100 }),
    ).rejects.toMatchObject({ fault: 'time is up' });
  });

  test('failure: each fault is told from the others', async () => {
    const { address } = await NameServer.start({
      'mixed.example': { addresses: ['8.8.8.8', 'fd00::1'] },
      'inside.example': { addresses: ['10.0.0.5'] },
    });
    const resolver = new TargetResolver({ servers: [address] });
    const resolve: Resolve = (host, signal) => resolver.resolve(host, { owner: 1, signal });
    const named = { rules: PRODUCTION, resolve };
    for (const host of ['mixed.example', 'inside.example'])
      await expect(post(`https://${host}/`, named)).rejects.toMatchObject(FORBIDDEN);
    await expect(post('https://unknown.example/', named)).rejects.toMatchObject({
      fault: 'name not resolved',
    });
    await expect(post(`http://127.0.0.1:${await freePort()}/`)).rejects.toMatchObject({
      fault: 'not connected',
    });
    const receiver = await WebhookReceiver.start();
    await expect(post(receiver.url.replace('http:', 'https:'))).rejects.toMatchObject({
      fault: 'not secured',
    });
  });

  test('success: localhost is reached where loopback is allowed', async () => {
    const receiver = await WebhookReceiver.start();
    const resolver = new TargetResolver({ servers: [] });
    const resolve: Resolve = (host, signal) => resolver.resolve(host, { owner: 1, signal });
    const { status } = await post(receiver.url.replace('127.0.0.1', 'localhost'), { resolve });
    expect(status).toBe(204);
  });

  test('success: of an endless answer only the beginning is read', async () => {
    let written = 0;
    const server = createHttpServer((_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(1024))) written += 1024;
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.closeAllConnections());
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test('failure: an answer that is no HTTP, or has endless headers, is refused', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(64 * 1024)}\r\n\r\n`);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(post(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ fault: 'not answered' });
  });
});
