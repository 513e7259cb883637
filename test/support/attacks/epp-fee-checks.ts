import { fee } from '../epp-frames.ts';
import type { Attack } from './attack.ts';
import { domainCheck, sendInSessions } from './epp-sessions.ts';

const NAMES = Array.from({ length: 1_000 }, (_, index) => `free-${index}.ee`);
const check = (commands: number): string =>
  domainCheck(NAMES, [
    fee.check(Array.from({ length: commands }, (_, index) => ({ name: 'create', period: `${index + 1}y` }))),
  ]);

/** Checks of 1,000 names, with the prices of 20 commands for each and with as many as are answered. */
export const eppFeeChecks: Attack = {
  name: 'EPP fee checks',
  start: (target) => sendInSessions(target, [check(20), check(5)]),
};
