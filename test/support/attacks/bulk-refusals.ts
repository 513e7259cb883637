import type { Attack } from './attack.ts';
import { callAtRate, postHead } from './raw-connection.ts';

const ITEMS = 20_000;
const members = Array.from({ length: ITEMS }, (_, index) => `"m${index}":1`).join();
const BODIES = [
  `{"data":{"domain_transfers":[${Array(ITEMS).fill(1).join()}]}}`,
  `{"data":{"domain_transfers":[],${members}}}`,
];

/** Twice a second 20,000 wrong items or unknown members, by a user who has no right to the call. */
export const bulkRefusals: Attack = {
  name: 'bulk refusals',
  start: ({ port, credentials: { billingUser } = {} }) =>
    callAtRate(port, 2, (index) => {
      const body = BODIES[index % BODIES.length] ?? '';
      return (
        postHead('/registry/v1/domains/transfer', body.length, [
          'Content-Type: application/json',
          'Connection: close',
          ...(billingUser === undefined ? [] : [`Authorization: ${billingUser}`]),
        ]) + body
      );
    }),
};
