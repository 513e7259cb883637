import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { acceptEmpty } from '../../../src/doors/http/accept-empty.ts';
import { emptyIs, emptyReplacesBy } from '../../../src/doors/http/normalise-value.ts';
import { Components, withPartsInPlace } from '../../../src/doors/http/openapi-components.ts';
import { documentsByName, everySchema } from '../../support/endpoints.ts';

const documents = documentsByName();
const GENERATOR = '/api/v1/invoice_generator';
const DOMAIN = '/registry/v1/domains/{domain_name}';

/** The calls of the three documents that the product is built by, in their order. */
const CALLS: Readonly<Record<keyof typeof documents, readonly string[]>> = {
  registrar: [
    'GET /registry/v1/accounts/balance',
    'GET /registry/v1/registrar/notifications/all_notifications',
    'GET /registry/v1/registrar/notifications',
    'PUT /registry/v1/registrar/notifications/{notification_id}',
    'GET /registry/v1/registrar/notifications/{notification_id}',
    'GET /registry/v1/contacts',
    'GET /registry/v1/contacts/{contact_id}',
    'DELETE /registry/v1/contacts/{contact_id}',
    'POST /registry/v1/contacts',
    'PUT /registry/v1/contacts/{contact_id}',
    'GET /registry/v1/contacts/check/{contact_id}',
    'GET /registry/v1/domains',
    `GET ${DOMAIN}`,
    'POST /registry/v1/domains',
    `PUT ${DOMAIN}`,
    `GET ${DOMAIN}/contacts`,
    `POST ${DOMAIN}/contacts`,
    `DELETE ${DOMAIN}/contacts`,
    `POST ${DOMAIN}/renew`,
    `DELETE ${DOMAIN}`,
    `GET ${DOMAIN}/nameservers`,
    `POST ${DOMAIN}/nameservers`,
    `DELETE ${DOMAIN}/nameservers/{nameserver_hostname}`,
    `GET ${DOMAIN}/dnssec`,
    `POST ${DOMAIN}/dnssec`,
    `DELETE ${DOMAIN}/dnssec`,
    `PUT ${DOMAIN}/statuses/{status}`,
    `DELETE ${DOMAIN}/statuses/{status}`,
    `GET ${DOMAIN}/transfer_info`,
    `POST ${DOMAIN}/transfer`,
    'POST /registry/v1/domains/transfer',
    'PATCH /registry/v1/domains/contacts',
    'PUT /registry/v1/registrar/nameservers',
    'POST /registry/v1/domains/renew/bulk',
  ],
  reservation: [
    'GET /api/v1/business_registry/domain_names/{organization_name}',
    'POST /api/v1/business_registry/reserve_domains',
    'GET /api/v1/business_registry/reserve_domains/{user_unique_id}',
    'POST /api/v1/business_registry/long_reserve_domains',
    'GET /api/v1/business_registry/long_reserve_domains_status',
  ],
  billing: [
    `POST ${GENERATOR}/bulk_payment`,
    'GET /api/v1/callback_handler/callback',
    `POST ${GENERATOR}/deposit_prepayment`,
    `POST ${GENERATOR}/deposit_status`,
    'POST /api/v1/directo/directo',
    'POST /api/v1/e_invoice/e_invoice',
    'POST /api/v1/import_data/invoice_data',
    `POST ${GENERATOR}/invoice_generator`,
    `POST ${GENERATOR}/invoice_number_generator`,
    `POST ${GENERATOR}/invoice_status`,
    `POST ${GENERATOR}/oneoff`,
    'POST /api/v1/import_data/reference_data',
    `POST ${GENERATOR}/reference_number_generator`,
  ],
};

const NAMED: Readonly<Record<keyof typeof documents, readonly string[]>> = {
  registrar: [
    'Domain',
    'NewDomain',
    'Contact',
    'NewContact',
    'Nameserver',
    'Key',
    'Notification',
    'Invoice',
    'Transaction',
    'Transfer',
    'TransferContact',
    'Failure',
    'Registrar',
    'DryRun',
  ],
  reservation: ['Reservation', 'ReservedName', 'ReservationEntry', 'PaidReservation', 'Failure'],
  billing: [
    'Invoice',
    'NewInvoice',
    'Payment',
    'FieldFailures',
    'AccessDenied',
    'EInvoiceRequest',
    'Failure',
  ],
};

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };
type Described = {
  security?: unknown[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content: Record<string, Media> }>;
};

describe.each(Object.entries(documents))('the document of the %s API', (key, document) => {
  const name = key as keyof typeof documents;
  const calls = Object.entries(withPartsInPlace(document).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      operation: operation as unknown as Described,
    })),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'api', components: document.components });
  const complaints = ({ schema, example, examples = {} }: Media): unknown[] => {
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')),
    );
    const values = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).map(({ value }) => value),
    ];
    return values.flatMap((value) => (validate(value) ? [] : [value, ajv.errorsText(validate.errors)]));
  };

  test('success: it has every call', () => {
    const known = calls.map(({ call }) => call);
    expect(CALLS[name].filter((call) => !known.includes(call))).toEqual([]);
  });

  test('success: shared schemas are named, and every named schema is used', () => {
    const { schemas } = document.components as { schemas: Record<string, object> };
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...NAMED[name]]));
    const text = JSON.stringify(document);
    expect(Object.keys(schemas).filter((each) => !text.includes(`"#/components/schemas/${each}"`))).toEqual(
      [],
    );
  });

  test.each(calls)('success: examples of $call are valid by its schemas', ({ operation }) => {
    const media = [operation.requestBody, ...Object.values(operation.responses)].flatMap((each) =>
      Object.entries(each?.content ?? {}),
    );
    const json = media.flatMap(([type, each]) => (type === 'application/json' ? [each] : []));
    expect(json.flatMap(complaints)).toEqual([]);
  });

  test('success: a call needs credentials unless it is the callback', () => {
    expect((document as { security?: unknown[] }).security).toHaveLength(1);
    const open = calls.filter(({ operation }) => operation.security?.length === 0).map(({ call }) => call);
    expect(open).toEqual(name === 'billing' ? ['GET /api/v1/callback_handler/callback'] : []);
  });
});

describe('names of schemas', () => {
  test('failure: two schemas cannot have one name', () => {
    const components = new Components();
    components.referTo({ type: 'string', 'x-component': 'Thing' });
    expect(components.referTo({ type: 'string', 'x-component': 'Thing' })).toEqual({
      $ref: '#/components/schemas/Thing',
    });
    expect(() => components.referTo({ type: 'integer', 'x-component': 'Thing' })).toThrow('Thing');
  });
});

// A server compiles a schema on first use; here all are compiled.
test.each(everySchema())('success: $id validates with a valid schema', ({ schemas }) => {
  for (const schema of schemas) expect(schema.check({})).toBeInstanceOf(Array);
});

test('success: optional members of a body are described as they may be sent', () => {
  const text = { type: 'string', minLength: 1 };
  const described = acceptEmpty({
    type: 'object',
    required: ['a'],
    properties: {
      a: text,
      b: { ...text, description: 'b' },
      c: { ...text, ...emptyIs('text refused') },
      d: { type: 'array', items: { type: 'object', properties: { e: text } }, ...emptyIs('refused') },
      f: { anyOf: [text, { type: 'null' }], ...emptyReplacesBy(null) },
      g: { description: 'anything' },
    },
  });
  const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
  expect(described.properties).toEqual({
    a: text,
    b: { description: 'b', ...orNull({ type: 'string' }) },
    c: orNull(text),
    d: { type: 'array', items: { type: 'object', properties: { e: orNull({ type: 'string' }) } } },
    f: orNull(text),
    g: { description: 'anything' },
  });
});
