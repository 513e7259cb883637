import type { Attack } from './attack.ts';
import { head, holdOpen, openRaw } from './raw-connection.ts';

const PIPELINED = 1_400;
const LOOK_INTERVAL_MS = 500;

/** One connection asks for 1,400 documents in one go and takes none of them. */
export const unreadAnswers: Attack = {
  name: 'unread answers',
  start: ({ port }) =>
    holdOpen(1, () => {
      // A socket that was never read from keeps its first receive window, and the answers are many times as large.
      const socket = openRaw(port).pause();
      socket.write(head('GET /openapi/reservation.json').repeat(PIPELINED));
      // The end of a connection that is not read is not noticed; a write, here of an empty line, tells.
      const looking = setInterval(() => socket.write('\r\n'), LOOK_INTERVAL_MS);
      socket.once('close', () => clearInterval(looking));
      return socket;
    }),
};
