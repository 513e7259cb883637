import type { Attack } from './attack.ts';
import { addressOf, holdOpen, openRaw } from './raw-connection.ts';

const CONNECTIONS = 40;
/** As short as a request may be, and so as many of them as possible in what is received at once. */
const REQUESTS = 'GET / HTTP/1.1\r\n\r\n'.repeat(3_600);

/** Forty addresses send 3,600 requests in one go, and begin again when they are disconnected. */
export const pipelinedRequests: Attack = {
  name: 'pipelined requests',
  start: ({ port, publicPort }) =>
    holdOpen(CONNECTIONS, (index) => {
      const socket = openRaw((index % 2 === 0 ? publicPort : undefined) ?? port, addressOf(index)).resume();
      socket.write(REQUESTS);
      return socket;
    }),
};
