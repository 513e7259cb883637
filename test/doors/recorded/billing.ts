import { type Recorded, type Recorder, withErrors } from './recorder.ts';

const API = '/api/v1';
const RETURN = 'https://auction.example/done';

const post = (path: string, body?: unknown, headers: Record<string, string> = {}): Recorded => ({
  as: 'auction',
  method: 'POST',
  path: API + path,
  headers,
  ...(body !== undefined && { body }),
});
const get = (path: string, as = 'auction'): Recorded => ({ as, method: 'GET', path: API + path });

const GENERATOR = '/invoice_generator';
const PATHS = [
  ...['bulk_payment', 'deposit_prepayment', 'deposit_status', 'invoice_generator'].map(
    (name) => `${GENERATOR}/${name}`,
  ),
  ...['invoice_number_generator', 'invoice_status', 'oneoff', 'reference_number_generator'].map(
    (name) => `${GENERATOR}/${name}`,
  ),
  '/directo/directo',
  '/e_invoice/e_invoice',
  '/import_data/invoice_data',
  '/import_data/reference_data',
];

const OUTSIDE: readonly Recorded[] = [
  ...PATHS.flatMap((path) => [
    { ...post(path, {}), as: 'nobody' },
    { ...post(path, {}), as: 'wrong secret' },
    { ...post(path), raw: '{' },
    { ...post(path), raw: '{"a":"\\u0000"}' },
    { ...post(path), raw: '' },
    ...['[]', '[[]]', '[null]', '5', '"text"', 'null', 'true'].map((raw) => ({ ...post(path), raw })),
    post(path, {}, { 'content-type': 'text/plain' }),
    post(path, {}, { 'idempotency-key': 'x'.repeat(256) }),
    { ...post(path), method: 'GET' },
  ]),
  ...PATHS.map((path) => ({
    ...post(path),
    raw: ' '.repeat((path.startsWith('/import') ? 16 : 1) * 1024 ** 2 + 1),
  })),
  ...['portal', 'alpha', 'stranger'].map((as) => ({ ...post(`${GENERATOR}/oneoff`, {}), as })),
  get('/nowhere'),
  get('/nowhere', 'nobody'),
  get(''),
  ...['', '/pdf', '/ubl'].flatMap((tail) => [
    get(`/invoices/150001${tail}`, 'nobody'),
    get(`/invoices/999999${tail}`),
    get(`/invoices/${'9'.repeat(30)}${tail}`),
    get(`/invoices/word${tail}`),
  ]),
  get('/invoices/'),
  ...[
    '',
    '?payment_reference=',
    '?event_name=',
    '?surprise=1',
    '?payment_reference=abc&event_name=status_updated',
  ].map((query) => get(`/callback_handler/callback${query}`, 'nobody')),
  ...[
    'payment_reference=a%20b',
    'payment_reference=a&payment_reference=b',
    'payment_reference[]=a',
    'event_name[x]=a',
  ].map((query) => get(`/callback_handler/callback?${query}`, 'nobody')),
  ...[
    `payment_reference=${'x'.repeat(129)}`,
    `event_name=${'x'.repeat(201)}`,
    'event_name=%00',
    'event_name=a&event_name=b',
  ].map((query) => get(`/callback_handler/callback?${query}`, 'nobody')),
  { ...post('/callback_handler/callback', {}), as: 'nobody' },
];

/** A body of the accounting export. */
const exported = (number: number) => ({
  initiator: 'auction',
  dry: false,
  invoice_data: [
    { number, customer: { code: 'C1', name: 'Firm', destination: 'EE', vat_reg_no: 'EE1' } },
    { summary: { invoice_number: String(number), customer: { code: 'C2' } } },
  ],
});

const eInvoice = (number: number) => ({
  initiator: 'auction',
  invoice: {
    number,
    buyer_name: 'Firm',
    buyer_reg_no: '12345678',
    buyer_vat_no: 'EE1',
    buyer_street: 'Tee 1',
    buyer_city: 'Tallinn',
    buyer_zip: '10111',
    buyer_country_code: 'EE',
    monthly_invoice: false,
  },
  buyer_country_code: 'ee',
  buyer_billing_email: 'a@b.ee',
  buyer_e_invoice_iban: 'EE38 2200 2210 2014 5685',
  payable: true,
  balance_date: '2030-01-31',
  balance_begin: '0.00',
  inbound: '20',
  outbound: '-5.5',
  balance_end: 14.5,
});

/** All recorded requests to the billing API. */
export async function recordBillingApi(recorder: Recorder): Promise<void> {
  await recorder.sendAll(OUTSIDE);
  const number = async (): Promise<number> =>
    (await recorder.send(post(`${GENERATOR}/invoice_number_generator`, {}))).invoice_number;
  const first = await number();
  const generate = {
    invoice_number: first,
    transaction_amount: '124.00',
    custom_field1: 'one',
    custom_field2: 'auction',
    customer_name: 'Mari',
    customer_email: 'mari@example.ee',
    reference_number: '7366488',
    reserved_domain_names: ['a.ee'],
  };
  const each = (path: string, body: unknown, few = false) =>
    withErrors(body, { few }).map((wrong) => post(path, wrong));
  await recorder.sendAll([
    post(`${GENERATOR}/invoice_generator`, generate),
    post(`${GENERATOR}/invoice_generator`, { ...generate, transaction_amount: 124 }),
    post(`${GENERATOR}/invoice_generator`, { ...generate, transaction_amount: '125.00' }),
    post(`${GENERATOR}/invoice_generator`, { ...generate, transaction_amount: '0.00' }),
    post(`${GENERATOR}/invoice_generator`, { ...generate, transaction_amount: '1.234' }),
    post(`${GENERATOR}/invoice_generator`, { ...generate, custom_field2: 'eeid' }),
    post(`${GENERATOR}/invoice_generator`, { ...generate, invoice_number: 999999 }),
    ...each(`${GENERATOR}/invoice_generator`, generate),
  ]);
  const oneoff = {
    invoice_number: String(first),
    customer_url: RETURN,
    reference_number: '7366488',
    custom_field2: 'auction',
  };
  await recorder.sendAll([
    post(`${GENERATOR}/oneoff`, oneoff),
    post(`${GENERATOR}/oneoff`, { ...oneoff, customer_url: 'https://evil.example' }),
    post(`${GENERATOR}/oneoff`, { ...oneoff, invoice_number: '999999' }),
    ...each(`${GENERATOR}/oneoff`, oneoff),
  ]);
  const [second, third] = [await number(), await number()];
  for (const other of [second, third])
    await recorder.send(
      post(`${GENERATOR}/invoice_generator`, { invoice_number: other, transaction_amount: 20.5 }),
    );
  const bulk = {
    custom_field2: 'auction',
    customer_url: RETURN,
    description: `${second}, ${third}`,
    transaction_amount: '41.00',
    reference_number: null,
  };
  await recorder.sendAll([
    post(`${GENERATOR}/bulk_payment`, bulk),
    post(`${GENERATOR}/bulk_payment`, { ...bulk, transaction_amount: '40.00' }),
    post(`${GENERATOR}/bulk_payment`, { ...bulk, transaction_amount: 41 }),
    ...each(`${GENERATOR}/bulk_payment`, bulk),
  ]);
  const deposit = {
    custom_field2: 'auction',
    customer_url: RETURN,
    transaction_amount: '300.00',
    description: 'auction_deposit oksjon.ee, user_uuid 0f2a, user_email mari@example.ee',
  };
  const held = { domain_name: 'oksjon.ee', user_uuid: '0f2a', status: 'paid' };
  await recorder.sendAll([
    post(`${GENERATOR}/deposit_prepayment`, deposit),
    ...each(`${GENERATOR}/deposit_prepayment`, deposit),
    ...each(`${GENERATOR}/deposit_status`, held),
    post(`${GENERATOR}/deposit_status`, held),
    post(`${GENERATOR}/deposit_status`, { ...held, status: 'returned' }),
    post(`${GENERATOR}/deposit_status`, { ...held, domain_name: 'muu.ee' }),
  ]);
  const owner = { initiator: 'auction', owner: 'mari', email: 'mari@example.ee' };
  await recorder.sendAll([
    ...['one', 'one'].map((key) =>
      post(`${GENERATOR}/reference_number_generator`, owner, { 'idempotency-key': key }),
    ),
    post(`${GENERATOR}/reference_number_generator`, {}, { 'idempotency-key': 'one' }),
    ...each(`${GENERATOR}/reference_number_generator`, owner),
  ]);
  await recorder.sendAll([
    ...each('/directo/directo', exported(first)),
    post('/directo/directo', { ...exported(first), dry: true }),
    post('/directo/directo', { invoice_data: [{ number: 999999 }] }),
    post('/directo/directo', { invoice_data: Array.from({ length: 1001 }, () => ({ number: first })) }),
    post('/directo/directo', exported(first)),
    ...each('/e_invoice/e_invoice', eInvoice(first)),
    post('/e_invoice/e_invoice', eInvoice(first)),
    post('/e_invoice/e_invoice', eInvoice(999999)),
  ]);
  const old = [
    {
      invoice_number: 131050,
      initiator: 'auction',
      transaction_amount: '20.00',
      status: 'paid',
      transaction_time: '2029-05-01T10:00:00Z',
      in_directo: true,
      e_invoice_sent_at: '2029-05-02T10:00:00Z',
    },
  ];
  const references = [{ reference_number: '7366488', initiator: 'auction', registrar_name: 'old' }];
  await recorder.sendAll([
    ...each('/import_data/invoice_data', old, true),
    post('/import_data/invoice_data', old),
    ...each('/import_data/reference_data', references, true),
    post('/import_data/reference_data', references),
  ]);
  const status = { invoice_number: first, status: 'cancelled' };
  await recorder.sendAll([
    ...each(`${GENERATOR}/invoice_status`, { ...status, status: 'refunded' }),
    post(`${GENERATOR}/invoice_status`, { ...status, invoice_number: 999999 }),
    post(`${GENERATOR}/invoice_status`, status),
    post(`${GENERATOR}/invoice_status`, { ...status, status: 'paid' }),
    ...['', '/pdf', '/ubl'].flatMap((tail) => [
      get(`/invoices/${first}${tail}`),
      get(`/invoices/${first}${tail}`, 'eeid'),
    ]),
  ]);
}
