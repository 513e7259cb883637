import { connect } from 'node:tls';
import type { Attack } from './attack.ts';
import { addressOf, head, holdOpen } from './raw-connection.ts';

const CONNECTIONS = 400;
const ADDRESSES = 40;
const REQUEST = head('GET /openapi.json', ['Accept-Encoding: identity']);

/** Strangers of forty networks ask for the longest document over TLS, and do not read it. */
export const httpsUnreadDocuments: Attack = {
  name: 'HTTPS unread documents',
  needsTls: true,
  start: ({ port }) =>
    holdOpen(CONNECTIONS, (index) => {
      const from = addressOf(index % ADDRESSES);
      const socket = connect({ ...from, host: '127.0.0.1', port, rejectUnauthorized: false });
      socket.on('error', () => {});
      socket.once('secureConnect', () => socket.pause().write(REQUEST));
      return socket;
    }),
};
