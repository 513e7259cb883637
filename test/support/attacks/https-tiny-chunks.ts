import type { Attack } from './attack.ts';
import { head, holdOpen, openSecure } from './raw-connection.ts';

const CONNECTIONS = 16;
const REOPEN_AFTER_MS = 1_000;
const CHUNKS = Buffer.from('1\r\na\r\n'.repeat(100_000));

/** Bodies of a registrar and of strangers in chunks of one byte. */
export const httpsTinyChunks: Attack = {
  name: 'HTTPS tiny chunks',
  needsTls: true,
  start: ({ port, credentials: { registrar = '' } = {} }) => {
    const common = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const heads = [
      head('POST /registry/v1/domains', [...common, `Authorization: ${registrar}`]),
      head('POST /console/login', [...common, 'Sec-Fetch-Site: same-origin']),
    ];
    return holdOpen(
      CONNECTIONS,
      (index) => {
        const socket = openSecure(port);
        socket.resume();
        socket.write(heads[index % heads.length] ?? '');
        socket.write(CHUNKS);
        return socket;
      },
      REOPEN_AFTER_MS,
    );
  },
};
