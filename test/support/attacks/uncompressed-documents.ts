import type { Attack } from './attack.ts';
import { head, holdOpen, openRaw } from './raw-connection.ts';

const CLIENTS = 16;
const REQUESTS = ['/docs', '/openapi.json'].map((path) =>
  head(`GET ${path}`, ['Accept-Encoding: identity', 'Connection: close']),
);

/** Sixteen clients fetch the large documents over and over, and take no compressed ones. */
export const uncompressedDocuments: Attack = {
  name: 'uncompressed documents',
  start: ({ port }) =>
    holdOpen(
      CLIENTS,
      (index) => {
        const socket = openRaw(port).resume();
        socket.write(REQUESTS[index % REQUESTS.length] ?? '');
        return socket;
      },
      0,
    ),
};
