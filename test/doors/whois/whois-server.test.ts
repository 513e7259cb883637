import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startWhoisServer, type WhoisServerOptions } from '../../../src/doors/whois/whois-server.ts';
import { proxyHeader } from '../../support/epp-peer.ts';
import { askWhois, openWhois } from '../../support/whois.ts';

/** Answers with what it was asked. */
async function startStub(options: Partial<WhoisServerOptions> = {}) {
  const [asked, ended]: [string[], string[]] = [[], []];
  const server = await startWhoisServer({
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    sweepIntervalMs: 10,
    answer: async (query, address) => {
      asked.push(`${address} ${query.toString('latin1')}`);
      return `${query.length} bytes\r\n`;
    },
    ended: (reason) => ended.push(reason),
    ...options,
  });
  onTestFinished(() => server.drain(0));
  return { ...server, asked, ended };
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
const V4 = proxyHeader(0x21, 0x11, 'c00002077f00000130390045');
const V6 = proxyHeader(0x21, 0x21, `20010db8000000000000000000000001${'00'.repeat(16)}30390045`);

describe('a query', () => {
  test.each([
    ['CR LF', 'eesti.ee\r\n'],
    ['LF', 'eesti.ee\n'],
    ['a second line', 'eesti.ee\r\nother.ee\r\n'],
  ])('success: with %s', async (_, query) => {
    const server = await startStub();
    expect(await askWhois(server.port, query)).toBe('8 bytes\r\n');
    expect(server.asked).toEqual(['127.0.0.1 eesti.ee']);
    await vi.waitFor(() => expect(server.ended).toEqual(['answered']));
  });

  test('success: in pieces, and terminated by a half-close instead of a line end', async () => {
    const server = await startStub();
    const socket = openWhois(server.port);
    for (const byte of 'eesti.ee') {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.end();
    expect(await text(socket)).toBe('8 bytes\r\n');
    const nothing = openWhois(server.port);
    nothing.end();
    expect(await text(nothing)).toBe('');
    await vi.waitFor(() => expect(server.ended).toEqual(['answered', 'closed-by-client']));
    expect(server.asked).toHaveLength(1);
  });

  test('failure: an unterminated line is answered once it is too long, and no more is read', async () => {
    const server = await startStub();
    const answer = await askWhois(server.port, 'x'.repeat(1_025));
    expect(answer).toBe('1025 bytes\r\n');
    const huge = openWhois(server.port);
    huge.write(Buffer.alloc(4 * 1024 * 1024));
    huge.resume();
    await closed(huge);
    await vi.waitFor(() => expect(server.ended[1]).toBe('flood'));
  });
});

describe('time limits', () => {
  test('failure: an idle client, and a query sent slowly byte by byte', async () => {
    const server = await startStub({ timeouts: { queryMs: 60 } });
    const [silent, slow] = [openWhois(server.port), openWhois(server.port)];
    const writing = setInterval(() => slow.write('x'), 10);
    await Promise.all([closed(silent), closed(slow)]);
    clearInterval(writing);
    await vi.waitFor(() => expect(server.ended).toEqual(['query-timeout', 'query-timeout']));
    expect(server.asked).toEqual([]);
  });

  test('failure: an answer that never arrives, and one that is not read', async () => {
    const never = await startStub({ timeouts: { answerMs: 30 }, answer: () => new Promise(() => {}) });
    expect(await askWhois(never.port, 'eesti.ee\r\n')).toBe('');
    await vi.waitFor(() => expect(never.ended).toEqual(['answer-timeout']));
    const large = 'x'.repeat(16 * 1024 * 1024);
    const server = await startStub({ timeouts: { readMs: 60 }, answer: async () => large });
    const reader = openWhois(server.port);
    reader.write('eesti.ee\r\n');
    reader.pause();
    // Single bytes do not extend the deadline.
    const reading = setInterval(() => reader.read(1), 10);
    await vi.waitFor(() => expect(server.ended).toEqual(['slow-reader']));
    clearInterval(reading);
    reader.destroy();
    expect(server.connections()).toBe(0);
  });

  test('failure: a client that never closes its side after a small answer', async () => {
    const server = await startStub({ timeouts: { readMs: 30 } });
    const socket = openWhois(server.port);
    socket.write('eesti.ee\r\n');
    await vi.waitFor(() => expect(server.connections()).toBe(0));
    expect(await text(socket)).toBe('8 bytes\r\n');
  });

  test('failure: an answer that fails', async () => {
    const server = await startStub({ answer: () => Promise.reject(new Error('wrong')) });
    expect(await askWhois(server.port, 'eesti.ee\r\n')).toBe('');
    await vi.waitFor(() => expect(server.ended).toEqual(['failed']));
  });
});

describe('many connections', () => {
  test('failure: thousands of idle ones of one address hold no more than its limit, and others are answered', async () => {
    const server = await startStub({ maxConnectionsPerAddress: 20 });
    const silent: Socket[] = [];
    onTestFinished(() => {
      for (const socket of silent) socket.destroy();
    });
    for (let batch = 0; batch < 10; batch++) {
      const opened = Array.from({ length: 100 }, () => openWhois(server.port));
      silent.push(...opened);
      await Promise.all(opened.map((socket) => once(socket, 'connect')));
    }
    await vi.waitFor(() => expect(server.ended).toHaveLength(980), { timeout: 30_000 });
    expect(new Set(server.ended)).toEqual(new Set(['displaced']));
    expect(server.connections()).toBe(20);
    expect(await askWhois(server.port, 'eesti.ee\r\n')).toBe('8 bytes\r\n');
  });

  test('failure: one above the limit while all are being answered', async () => {
    const answer = vi.fn(() => new Promise<string>(() => {}));
    const server = await startStub({ maxConnectionsPerAddress: 1, answer });
    const first = openWhois(server.port);
    first.write('eesti.ee\r\n');
    await vi.waitFor(() => expect(answer).toHaveBeenCalled());
    expect(await askWhois(server.port, '').catch(() => '')).toBe('');
    expect(server.ended).toEqual(['too-many']);
    first.destroy();
  });

  test('success: a stop closes idle ones at once and answers received queries', async () => {
    let answer = (_text: string): void => {};
    const server = await startStub({ answer: () => new Promise((resolve) => (answer = resolve)) });
    const [silent, asking] = [openWhois(server.port), openWhois(server.port)];
    asking.write('eesti.ee\r\n');
    await vi.waitFor(() => expect(server.connections()).toBe(2));
    const answered = text(asking);
    await vi.waitFor(() => expect(answer).toHaveLength(1));
    const drained = server.drain(10_000);
    await closed(silent);
    answer('so be it\r\n');
    expect(await answered).toBe('so be it\r\n');
    await drained;
    expect(server.ended).toEqual(expect.arrayContaining(['drained', 'answered']));
  });
});

describe('behind a proxy', () => {
  const trusted = { trustedProxies: ['127.0.0.0/8'] };

  test('success: the client address is that of the header', async () => {
    const server = await startStub(trusted);
    const query = Buffer.concat([V4, Buffer.from('eesti.ee\r\n')]);
    expect(await askWhois(server.port, query)).toBe('8 bytes\r\n');
    const halves = openWhois(server.port);
    halves.write(V6);
    await new Promise((resolve) => setImmediate(resolve));
    halves.end('eesti.ee');
    expect(await text(halves)).toBe('8 bytes\r\n');
    expect(server.asked).toEqual(['192.0.2.7 eesti.ee', '2001:db8::1 eesti.ee']);
  });

  test('failure: a proxy without the header, a proxy that closes at once, and a header from an untrusted client', async () => {
    const server = await startStub(trusted);
    expect(await askWhois(server.port, 'eesti.ee\r\n').catch(() => '')).toBe('');
    await vi.waitFor(() => expect(server.ended).toEqual(['proxy-header']));
    const check = openWhois(server.port);
    check.end();
    expect(await text(check)).toBe('');
    await vi.waitFor(() => expect(server.ended).toHaveLength(2));
    const direct = await startStub();
    await askWhois(direct.port, Buffer.concat([V4, Buffer.from('eesti.ee\r\n')]));
    expect(direct.asked.join()).toMatch(/^127\.0\.0\.1 /);
  });
});
