import { connect } from 'node:tls';
import { framed } from '../epp.ts';
import type { Attack } from './attack.ts';
import { loginOf } from './epp-sessions.ts';
import { addressOf, holdOpen } from './raw-connection.ts';

const CONNECTIONS = 100;
const REOPEN_AFTER_MS = 500;

/** A registrar logs in a hundred times at once, ends what succeeded, and begins again. */
export const eppLogins: Attack = {
  name: 'EPP logins',
  start: ({ eppPort = 0, credentials: { registrar = '' } = {} }) => {
    const login = framed(loginOf(registrar));
    return holdOpen(
      CONNECTIONS,
      (index) => {
        const from = addressOf(index % 10);
        const socket = connect({ ...from, host: '127.0.0.1', port: eppPort, rejectUnauthorized: false });
        socket.on('error', () => {});
        let answers = 0;
        socket.on('data', () => {
          answers += 1;
          if (answers === 1) socket.write(login);
          else socket.destroy();
        });
        return socket;
      },
      REOPEN_AFTER_MS,
    );
  },
};
