import { setTimeout as sleep } from 'node:timers/promises';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { Fault, Faults } from './faults.ts';

const SLOW_MS = 5_000;

/** Nothing leaves the sandbox: what is sent is shown at /sandbox/mail. */
export function sandboxMailer(faults: Faults): Mailer {
  return { send: () => runInto(faults.next('mail')) };
}

async function runInto(fault: Fault | undefined): Promise<void> {
  if (fault === 'slow') await sleep(SLOW_MS);
  if (fault === 'down')
    throw Object.assign(new Error('connect ECONNREFUSED (a fault of the sandbox)'), { code: 'ECONNREFUSED' });
  if (fault === 'error')
    throw Object.assign(new Error('451 Local error (a fault of the sandbox)'), { responseCode: 451 });
}
