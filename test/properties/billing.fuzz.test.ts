import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer, Service, tokenOf } from '../support/billing.ts';
import { exchange, parseAnswers } from '../support/raw-http.ts';
import { seed } from '../support/seed.ts';
import { header, toBytes } from './any-request.ts';
import { FuzzedRegistry, LIMIT_MS, REQUESTS } from './fuzzed-registry.ts';
import { escaped, headerText, junk, mostly, strangeText, toJson } from './strange-values.ts';

/** Requests of the services and of the payment provider, valid and arbitrary ones. */
let target: FuzzedRegistry;
const known = { numbers: [1], reference: 'unknown', token: '' };
beforeAll(async () => {
  target = await FuzzedRegistry.start('payment_link');
  const { url } = target.registry;
  const auction = new Service(url);
  const invoices = [await auction.invoice('20.00'), await auction.invoice('30.00')];
  known.numbers = invoices.map(({ number }) => number);
  known.reference = await new Payer(url).pay(invoices[0]?.link ?? '');
  known.token = await tokenOf('auction');
});
afterAll(() => target.registry.stop());

const later = <T>(read: () => readonly T[]): fc.Arbitrary<T> =>
  fc.nat().map((index) => read()[index % read().length] as T);
const amount = mostly(fc.constantFrom('20.00', '30.0', '0.01', '1', 20));
const number = mostly(later(() => known.numbers.flatMap((item) => [item, String(item)])));
const url = mostly(fc.constantFrom('https://auction.example/back', 'https://evil.example', 'javascript:1'));
const status = mostly(
  fc.constantFrom('paid', 'unpaid', 'failed', 'cancelled', 'overdue', 'refunded', 'returned'),
);
const country = mostly(fc.constantFrom('EE', 'lv', 'US', 'XX'));
const names = mostly(
  fc.array(mostly(fc.constantFrom('free.ee', 'kept.ee', 'blocked.ee', 'õun.com.ee')), { maxLength: 22 }),
);

const calls: readonly [method: string, path: fc.Arbitrary<string>, body?: fc.Arbitrary<unknown>][] = [
  ['POST', fc.constant('/invoice_generator/invoice_number_generator')],
  [
    'POST',
    fc.constant('/invoice_generator/invoice_generator'),
    fc.record(
      {
        invoice_number: number,
        transaction_amount: amount,
        custom_field1: junk,
        custom_field2: mostly(fc.constant('auction')),
        customer_name: junk,
        reserved_domain_names: names,
      },
      { requiredKeys: [] },
    ),
  ],
  [
    'POST',
    fc.constant('/invoice_generator/oneoff'),
    fc.record({ invoice_number: number, customer_url: url, reference_number: junk }, { requiredKeys: [] }),
  ],
  [
    'POST',
    fc.constant('/invoice_generator/bulk_payment'),
    fc.record(
      {
        custom_field2: mostly(fc.constant('auction')),
        customer_url: url,
        description: mostly(later(() => [known.numbers.join(' ')])),
        transaction_amount: amount,
      },
      { requiredKeys: [] },
    ),
  ],
  [
    'POST',
    fc.constant('/invoice_generator/deposit_prepayment'),
    fc.record(
      {
        custom_field2: mostly(fc.constant('auction')),
        customer_url: url,
        description: mostly(fc.constant('auction_deposit a.ee, user_uuid u1, user_email a@b.ee')),
        transaction_amount: amount,
      },
      { requiredKeys: [] },
    ),
  ],
  [
    'POST',
    fc.constant('/invoice_generator/deposit_status'),
    fc.record(
      { domain_name: mostly(fc.constant('a.ee')), user_uuid: mostly(fc.constant('u1')), status },
      { requiredKeys: [] },
    ),
  ],
  [
    'POST',
    fc.constant('/invoice_generator/invoice_status'),
    fc.record({ invoice_number: number, status }, { requiredKeys: [] }),
  ],
  [
    'POST',
    fc.constant('/invoice_generator/reference_number_generator'),
    fc.record({ owner: junk, email: junk, initiator: mostly(fc.constant('auction')) }, { requiredKeys: [] }),
  ],
  [
    'POST',
    fc.constant('/import_data/invoice_data'),
    mostly(
      fc.array(
        fc.record(
          {
            invoice_number: mostly(fc.integer({ min: 1, max: 50 })),
            initiator: mostly(fc.constant('auction')),
            transaction_amount: amount,
            status,
            transaction_time: junk,
          },
          { requiredKeys: [] },
        ),
        { maxLength: 5 },
      ),
    ),
  ],
  [
    'POST',
    fc.constant('/import_data/reference_data'),
    mostly(
      fc.array(
        fc.record(
          {
            reference_number: mostly(fc.constant('7734230')),
            initiator: mostly(fc.constant('auction')),
            registrar_name: junk,
          },
          { requiredKeys: [] },
        ),
        { maxLength: 5 },
      ),
    ),
  ],
  [
    'POST',
    fc.constant('/directo/directo'),
    fc.record(
      {
        invoice_data: mostly(
          fc.array(
            mostly(
              fc.record(
                {
                  number,
                  customer: mostly(
                    fc.record(
                      { code: junk, name: junk, destination: country, vat_reg_no: junk },
                      { requiredKeys: [] },
                    ),
                  ),
                },
                { requiredKeys: [] },
              ),
            ),
            { maxLength: 3 },
          ),
        ),
        dry: mostly(fc.boolean()),
      },
      { requiredKeys: [] },
    ),
  ],
  [
    'POST',
    fc.constant('/e_invoice/e_invoice'),
    fc.record(
      {
        invoice: mostly(
          fc.record(
            {
              number,
              buyer_name: junk,
              buyer_reg_no: mostly(fc.constant('12345678')),
              buyer_vat_no: junk,
              buyer_street: junk,
              buyer_city: junk,
              buyer_zip: junk,
              monthly_invoice: mostly(fc.boolean()),
            },
            { requiredKeys: [] },
          ),
        ),
        buyer_billing_email: junk,
        buyer_e_invoice_iban: junk,
        buyer_country_code: country,
        payable: mostly(fc.boolean()),
        balance_date: junk,
        balance_begin: amount,
        balance_end: junk,
      },
      { requiredKeys: [] },
    ),
  ],
  ['GET', later(() => known.numbers.map((item) => `/invoices/${item}`))],
  ['GET', later(() => known.numbers.map((item) => `/invoices/${item}/ubl`))],
  ['GET', escaped.map((text) => `/invoices/${text}`)],
  [
    'GET',
    fc
      .tuple(escaped, escaped)
      .map(([one, two]) => `/callback_handler/callback?payment_reference=${one}&event_name=${two}`),
  ],
  [
    'GET',
    later(() => [`/callback_handler/callback?payment_reference=${known.reference}&event_name=refunded`]),
  ],
];
const PREFIX = '/api/v1';

const requests = fc
  .record({
    call: fc.constantFrom(...calls).chain(([method, path, body]) =>
      fc.record({
        method: mostlyText(fc.constant(method), fc.constantFrom('PUT', 'DELETE', 'PATCH')),
        path,
        body: body ?? fc.constant(undefined),
      }),
    ),
    broken: fc.oneof(
      { weight: 10, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: strangeText },
    ),
    authorization: fc.oneof(
      { weight: 20, arbitrary: fc.constant('good') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '',
          'Bearer',
          'Bearer a.b.c',
          'Bearer eyJhbGciOiJub25lIn0.eyJpbml0aWF0b3IiOiJhdWN0aW9uIn0.',
        ),
      },
      { weight: 1, arbitrary: headerText },
    ),
    headers: fc.array(
      fc.oneof(
        header('Idempotency-Key', 'k1', '', 'k'.repeat(256)),
        header('Content-Type', 'text/plain', 'application/json', ';'),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ call, broken, authorization, headers }) => {
    const body = call.method === 'GET' || call.body === undefined ? undefined : (broken ?? toJson(call.body));
    return {
      method: call.method,
      target: `${PREFIX}${call.path}`,
      body,
      caller: 'other' as const,
      headers: [
        ['Authorization', authorization === 'good' ? `Bearer ${known.token}` : authorization] as const,
        ...headers,
      ],
    };
  });

function mostlyText(usual: fc.Arbitrary<string>, other: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** 502 is the provider's, and it works here. */
const GOOD = new Set([200, 201]);
const REFUSED = new Set([400, 401, 404, 405, 406, 413, 415, 422, 429]);

describe(`fuzzing of the billing API, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: every answer has the documented form', async () => {
    await target.tryEach(requests, REQUESTS / 4, async (asked) => {
      const answers = parseAnswers(await exchange(target.port, [toBytes(asked)], { silenceMs: 20_000 }));
      const [answer] = answers;
      const wrong = answer ? faults(answer) : ['no answer'];
      if (answers.length !== 1 || wrong.length > 0)
        throw new Error(
          `${wrong.join('; ')} ${answer?.text.slice(0, 300)}\n${JSON.stringify(asked).slice(0, 1500)}`,
        );
    });
    expect(target.unforeseen()).toEqual([]);
  });
});

function faults({
  status,
  headers,
  body,
}: {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}): string[] {
  if (GOOD.has(status)) return [];
  if (!REFUSED.has(status)) return [`status ${status}`];
  if (!headers.get('content-type')?.startsWith('application/json')) return ['not declared as JSON'];
  const answer = JSON.parse(body) as Record<string, unknown>;
  const denied = status === 401 && answer.message === 'Access denied';
  // Malformed HTTP is refused by the server itself, in the form of the registrar API.
  return 'error' in answer || denied || answer.code === 2001
    ? []
    : [`a refusal without error: ${body.slice(0, 200)}`];
}
