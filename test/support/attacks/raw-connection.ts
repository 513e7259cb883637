import { connect, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';

/** The shortest head that is valid HTTP/1.1. */
export const head = (line: string, headers: readonly string[] = []): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');

export const postHead = (path: string, length: number, headers: readonly string[] = []): string =>
  head(`POST ${path}`, [`Content-Length: ${length}`, 'Sec-Fetch-Site: same-origin', ...headers]);

/**
 * Attackers come from an address of their own, since a bound per address must not hit the registrars who are measured
 * beside them. Only Linux has all of 127.0.0.0/8 without being told.
 */
export const ATTACKER = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/** The proxy that the servers trust, and the address that they are told of a registrar behind it. */
export const TRUSTED_PROXY = '127.0.0.9';
export const PROXY = process.platform === 'linux' ? { localAddress: TRUSTED_PROXY } : {};
export const FORWARDED_REGISTRAR = '198.51.100.7';

/** Whatever the server does to a hostile connection is its right: errors and ends are not reported. */
export function openRaw(port: number, from: { readonly localAddress?: string } = ATTACKER): Socket {
  const socket = connect({ ...from, port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => {});
  return socket;
}

/** Over TLS, whatever certificate the server has. */
export function openSecure(port: number): TLSSocket {
  const socket = connectSecurely({ ...ATTACKER, host: '127.0.0.1', port, rejectUnauthorized: false });
  socket.on('error', () => {});
  return socket;
}

const REOPEN_AFTER_MS = 100;

/** Keeps so many connections open: each that the server ends is opened again and begins from the start. */
export function holdOpen(
  count: number,
  open: (index: number) => Socket,
  reopenAfterMs = REOPEN_AFTER_MS,
): () => Promise<void> {
  let stopped = false;
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const hold = (index: number) => {
    const socket = open(index);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        hold(index);
      }, reopenAfterMs);
      timers.add(timer);
    });
  };
  for (let index = 0; index < count; index++) hold(index);
  return async () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
}

/** An address of another network for each number; outside of Linux they are all the same. */
export const addressOf = (network: number): { readonly localAddress?: string } =>
  process.platform === 'linux' ? { localAddress: `127.${1 + (network >> 8)}.${network & 0xff}.1` } : {};

/** Calls at a fixed rate, whether or not earlier calls were answered, each on a connection of its own. */
export function callAtRate(
  port: number,
  perSecond: number,
  requestOf: (index: number) => string | Buffer,
  from: (index: number) => { readonly localAddress?: string } = () => ATTACKER,
): () => Promise<void> {
  const sockets = new Set<Socket>();
  let sent = 0;
  const call = () => {
    const socket = openRaw(port, from(sent));
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', () => socket.end()).resume();
    socket.write(requestOf(sent++));
  };
  call();
  const timer = setInterval(call, 1000 / perSecond);
  return async () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}
