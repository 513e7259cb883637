import { domainToASCII } from 'node:url';
import type { Attack } from './attack.ts';
import { callAtRate, head } from './raw-connection.ts';

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${'õäöü'.repeat(9)}${index}.ee`);
const replacementOf = (domains: readonly string[]) => ({
  data: {
    type: 'nameserver',
    id: 'ns1.example.net',
    domains,
    attributes: { hostname: 'ns2.example.net' },
  },
});

const CALLS: readonly (readonly [line: string, body: object])[] = [
  ['PUT /registry/v1/registrar/nameservers', replacementOf(names(9_000))],
  ['PUT /registry/v1/registrar/nameservers', replacementOf(names(9_000).map(domainToASCII))],
  ['POST /registry/v1/domains/renew/bulk', { domains: names(1_000), renew_period: '1y' }],
  [
    'POST /registry/v1/domains/transfer',
    {
      data: {
        domain_transfers: names(1_000).map((name) => ({ domain_name: name, transfer_code: 'a guess' })),
      },
    },
  ],
];

/** Four times a second a list of 1,000 or 9,000 names that are read by the tables of Unicode. */
export const idnLists: Attack = {
  name: 'IDN lists',
  start: ({ port, credentials: { bulkUser } = {} }) => {
    const requests = CALLS.map(([line, body]) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const headers = [
        `Content-Length: ${bytes.length}`,
        'Content-Type: application/json',
        'Connection: close',
        ...(bulkUser === undefined ? [] : [`Authorization: ${bulkUser}`]),
      ];
      return Buffer.concat([Buffer.from(head(line, headers)), bytes]);
    });
    return callAtRate(port, 4, (index) => requests[index % requests.length] ?? '');
  },
};
