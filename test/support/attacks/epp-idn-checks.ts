import type { Attack } from './attack.ts';
import { domainCheck, sendInSessions } from './epp-sessions.ts';

const NAMES = 1_000;
const names = (make: (index: number) => string): string[] =>
  Array.from({ length: NAMES }, (_, index) => make(index));

/** Checks of 1,000 names that are read by the tables of Unicode: names as long as they may be, valid and invalid ones. */
export const eppIdnChecks: Attack = {
  name: 'EPP IDN checks',
  start: (target) =>
    sendInSessions(target, [
      domainCheck(names((index) => `${'õäöü'.repeat(9)}${index}.ee`)),
      domainCheck(names((index) => `${'日本語'.repeat(80)}${index}.ee`)),
      domainCheck(names((index) => `${'ä.'.repeat(120)}${index}.ee`)),
    ]),
};
