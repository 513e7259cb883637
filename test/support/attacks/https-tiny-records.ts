import type { Attack } from './attack.ts';
import { postHead } from './raw-connection.ts';
import { RECORDS, sendTinyRecords } from './tiny-records.ts';

const HEADS = [
  postHead('/console/login', RECORDS, ['Content-Type: application/x-www-form-urlencoded']),
  postHead('/nowhere', RECORDS, ['Content-Type: application/json']),
];

/** Requests of strangers whose bodies arrive in TLS records of one byte. */
export const httpsTinyRecords: Attack = {
  name: 'HTTPS tiny records',
  needsTls: true,
  start: ({ port }) =>
    sendTinyRecords(port, ({ socket, sendInRecords }, index) => {
      const request = () => {
        socket.write(HEADS[index % HEADS.length] ?? '');
        sendInRecords(Buffer.alloc(RECORDS, 'a'));
      };
      socket.once('secureConnect', request);
      socket.on('data', request);
    }),
};
