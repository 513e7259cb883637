import { Duplex } from 'node:stream';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import type { Stop } from './attack.ts';
import { holdOpen, openRaw } from './raw-connection.ts';

const CONNECTIONS = 64;
const REOPEN_AFTER_MS = 500;
const RELEASE_EVERY_MS = 500;
/** Encrypting them takes the attacker as long as the server, so there are no more of them than a few reads take. */
export const RECORDS = 3_000;

type Client = {
  readonly socket: TLSSocket;
  /** Encrypts the text byte by byte, and sends all records when those of the other connections are sent too. */
  readonly sendInRecords: (bytes: Buffer) => void;
};

/** A TLS client below which records can be held back, to be sent in one piece. */
function openHeldBack(port: number) {
  const raw = openRaw(port);
  let held: Buffer[] | undefined;
  const below = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      if (held) held.push(chunk);
      else raw.write(chunk);
      done();
    },
    destroy: (error, done) => {
      raw.destroy();
      done(error);
    },
  });
  raw.on('data', (chunk: Buffer) => below.push(chunk));
  raw.on('close', () => below.destroy());
  const socket = connectSecurely({ socket: below, rejectUnauthorized: false });
  socket.on('error', () => {});
  raw.on('close', () => socket.destroy());
  return {
    socket,
    holdBack: () => {
      held = [];
    },
    release: () => {
      if (held) raw.write(Buffer.concat(held));
      held = undefined;
    },
  };
}

/** Each byte in a record of its own. */
export async function writeRecords(socket: TLSSocket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    if (!socket.writable) return;
    await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
  }
}

/** Connections that send thousands of TLS records of one byte at once, and begin again. */
export function sendTinyRecords(port: number, use: (client: Client, index: number) => void): Stop {
  const ready = new Set<() => void>();
  const timer = setInterval(() => {
    for (const release of ready) release();
    ready.clear();
  }, RELEASE_EVERY_MS);
  const open = (index: number): TLSSocket => {
    const { socket, holdBack, release } = openHeldBack(port);
    const sendInRecords = (bytes: Buffer) => {
      holdBack();
      void writeRecords(socket, bytes).then(() => ready.add(release));
    };
    use({ socket, sendInRecords }, index);
    return socket;
  };
  const stop = holdOpen(CONNECTIONS, open, REOPEN_AFTER_MS);
  return async () => {
    clearInterval(timer);
    await stop();
  };
}
