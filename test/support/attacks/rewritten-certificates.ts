import { open, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { Attack, TlsFiles } from './attack.ts';
import { ATTACKER } from './raw-connection.ts';

/** Longer than the second between two looks of the server, so that each state of a file is seen. */
const PAUSE_MS = 1_300;
const HANDSHAKE_INTERVAL_MS = 50;

/** Empty, then half of it, then all of it, as a copy over a slow connection leaves a file. */
async function writeSlowly(file: string, text: string, signal: AbortSignal): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await sleep(PAUSE_MS, undefined, { signal });
    await handle.write(text.slice(0, text.length / 2));
    await sleep(PAUSE_MS, undefined, { signal });
    await handle.write(text.slice(text.length / 2));
  } finally {
    await handle.close();
  }
}

async function rewrite({ tlsKeyFile, tlsCertificateFile, identities }: TlsFiles, signal: AbortSignal) {
  for (let round = 1; !signal.aborted; round++) {
    const identity = identities[round % identities.length];
    if (!identity) throw new Error('there is nothing to write into the TLS files');
    await writeSlowly(tlsCertificateFile, identity.cert, signal);
    await writeSlowly(tlsKeyFile, identity.key, signal);
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** The files of the TLS key and certificate are rewritten slowly, over and over, while clients connect. */
export const rewrittenCertificates: Attack = {
  name: 'rewritten TLS files',
  needsTls: true,
  start: ({ port, tls }) => {
    if (!tls?.identities[0]) throw new Error('this attack needs the TLS files of the server');
    const [first] = tls.identities;
    const ending = new AbortController();
    const rewriting = rewrite(tls, ending.signal).catch((error) => {
      if (!ending.signal.aborted) throw error;
    });
    const timer = setInterval(() => {
      const socket = connect({ ...ATTACKER, port, host: '127.0.0.1', rejectUnauthorized: false });
      socket.on('error', () => {}).once('secureConnect', () => socket.end());
    }, HANDSHAKE_INTERVAL_MS);
    return async () => {
      clearInterval(timer);
      ending.abort();
      await rewriting;
      await writeFile(tls.tlsKeyFile, first.key);
      await writeFile(tls.tlsCertificateFile, first.cert);
    };
  },
};
