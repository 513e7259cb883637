import { ACCOUNTING_PATH } from '../doors/sandbox/documents/accounting.ts';
import { EINVOICE_PATH } from '../doors/sandbox/documents/einvoice.ts';
import type { Origin } from './origin.ts';
import type { Otherwise } from './senders.ts';

/** Where the sandbox plays those whom messages go to; known once the server listens. */
export const simulatedServices = (origin: Origin): Otherwise => ({
  service: (service) => `${origin.ownUrl}/sandbox/services/${service}`,
  accounting: () => origin.ownUrl + ACCOUNTING_PATH,
  einvoice: () => origin.ownUrl + EINVOICE_PATH,
});
