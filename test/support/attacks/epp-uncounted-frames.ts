import { envelope } from '../epp-frames.ts';
import type { Attack } from './attack.ts';
import { sendInSessions } from './epp-sessions.ts';

const AHEAD = 30;
const BYTES = 64_000;

/** What is no command, as fast as it is answered, in all sessions of a registrar: hellos, second logins, no XML. */
export const eppUncountedFrames: Attack = {
  name: 'EPP frames beside commands',
  start: (target) =>
    sendInSessions(
      target,
      [
        '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>',
        '<'.repeat(BYTES),
        envelope({ body: `<login>${' '.repeat(BYTES)}</login>` }),
        envelope({ body: `<info>${' '.repeat(BYTES)}` }),
      ],
      AHEAD,
    ),
};
