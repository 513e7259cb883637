import type { Attack } from './attack.ts';
import { importBody, importHead } from './import-requests.ts';
import { callAtRate } from './raw-connection.ts';

const PER_SECOND = 2;
const BODIES = 3;

/** A service sends two imports of 50,000 invoices a second, whether or not they are answered. */
export const imports: Attack = {
  name: 'imports',
  start: ({ port, credentials: { billingService } = {} }) => {
    const requests = Array.from({ length: BODIES }, (_, index) => {
      const body = importBody(index);
      return Buffer.concat([Buffer.from(importHead(body.length, billingService)), body]);
    });
    return callAtRate(port, PER_SECOND, (index) => requests[index % requests.length] ?? '');
  },
};
