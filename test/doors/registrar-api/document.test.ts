import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, alpha, type Client, type Envelope } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { ApiDocument, type OpenApi } from '../../support/document.ts';
import { Registrant } from '../../support/domains.ts';
import { startFreshRegistry, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
let document: OpenApi;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  document = (await ApiDocument.of(registry.url)).document;
});
afterAll(() => registry.stop());

type Described = {
  operationId: string;
  parameters: { name: string; in: string; example?: string | number }[];
  'x-events'?: { type: string; when?: string }[];
  requestBody?: { content: { 'application/json': { example: object } } };
  responses: Record<
    string,
    {
      content: { 'application/json': { example?: Envelope; examples?: Record<string, { value: Envelope }> } };
    }
  >;
};
const calls = (): { method: string; path: string; call: Described }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      method: method.toUpperCase(),
      path,
      call: call as unknown as Described,
    })),
  );

describe('the API document', () => {
  /** An order in which each documented request finds the objects it needs. */
  const ORDER = [
    'createContact',
    'checkContact',
    'readContact',
    'listContacts',
    'updateContact',
    'createDomain',
    'checkDomain',
    'checkDomains',
    'listPrices',
    'readDomain',
    'listDomains',
    'listNameservers',
    'addNameservers',
    'removeNameserver',
    'listKeys',
    'addKeys',
    'removeKeys',
    'listDomainHistory',
    'listDomainContacts',
    'addDomainContacts',
    'removeDomainContacts',
    'setStatus',
    'removeStatus',
    'renewDomain',
    'renewDomains',
    'updateDomain',
    'replaceTechContact',
    'replaceNameserver',
    'readTransferInfo',
    'transferDomain',
    'transferDomains',
    'removeNameservers',
    'deleteDomain',
    'listNotifications',
    'readLatestNotification',
    'readNotification',
    'acknowledgeNotification',
    'acknowledgeNotifications',
    'readEvents',
    'readBalance',
    'addCredit',
    'listInvoices',
    'readInvoice',
    'readInvoicePdf',
    'readInvoiceUbl',
    'deleteContact',
    'createWebhook',
    'listWebhooks',
    'readWebhook',
    'updateWebhook',
    'rotateWebhookSecret',
    'testWebhook',
    'listWebhookDeliveries',
    'readWebhookDelivery',
    'replayWebhookDelivery',
    'replayWebhook',
    'deleteWebhook',
  ];

  test('success: every documented request, sent in order to a fresh sandbox, answers as documented', async () => {
    const documented = calls();
    expect(documented.map(({ call }) => call.operationId).toSorted()).toEqual(ORDER.toSorted());
    await recordEvents();
    for (const id of ORDER) {
      const { method, path, call } =
        documented.find((item) => item.call.operationId === id) ?? expect.fail(id);
      await prepare(id);
      await writtenEvents();
      const target = call.parameters
        .filter((parameter) => parameter.in === 'path')
        .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
      const query = call.parameters.filter(
        (parameter) => parameter.in === 'query' && parameter.example !== undefined,
      );
      const search = new URLSearchParams(
        query.map(({ name, example }): [string, string] => [name, String(example)]),
      );
      const reply = await client.call(
        method,
        `${target.slice(API.length)}${search.size > 0 ? `?${search}` : ''}`,
        {
          body: call.requestBody?.content['application/json'].example,
        },
      );
      expect([id, reply.status, reply.body.message]).toEqual([id, 200, expect.any(String)]);
      const example = call.responses[200]?.content['application/json']?.example?.data ?? {};
      expect([id, Object.keys(reply.body.data)]).toEqual([
        id,
        Array.isArray(example) ? ['0'] : Object.keys(example),
      ]);
      const { 'x-events': caused = [] } = call;
      const events = await writtenEvents();
      const always = caused.filter(({ when }) => when === undefined).map(({ type }) => type);
      expect([id, events]).toEqual([id, expect.arrayContaining(always)]);
      expect([id, caused.map(({ type }) => type)]).toEqual([id, expect.arrayContaining(events)]);
    }
  });

  /** Endpoints that get everything, so that events are written for both registrars. */
  const recordEvents = () =>
    registry.sql.run(sql`
      insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
      select 'whe_' || lpad(id::text, 16, '0'), id, 10, 'http://127.0.0.1:1/', 'recorder', now(), now() from registrars where code in ('ALPHA', 'BETA')`);
  let lastEvent = 0;
  /** The types of the events since the last call. */
  async function writtenEvents(): Promise<string[]> {
    const written = await registry.sql.rows(sql<{ id: number; type: string }>`
      select id, type from webhook_events where id > ${lastEvent} order by id`);
    lastEvent = written.at(-1)?.id ?? lastEvent;
    return written.map(({ type }) => type);
  }

  /** Objects that an example requires and no earlier example has created. */
  async function prepare(id: string): Promise<void> {
    if (id === 'createDomain') {
      await createContact(client, {
        id: 'jaan',
        ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
      });
      await new Registrant(client, 'mari').register({ name: 'näide.ee' });
    }
    if (id === 'renewDomain')
      await registry.sql.run(
        sql`update domains set expire_time = '2027-11-15T22:00:00Z' where name = 'example.ee'`,
      );
    if (id === 'transferDomain' || id === 'transferDomains') {
      await registry.sql.run(sql`
        update domains set transfer_code = '98765abcde98765abcde98765abcde98',
          registrar_id = (select id from registrars where code = 'BETA') where name = 'example.ee'`);
    }
    if (id === 'listNotifications') {
      await registry.sql.run(sql`delete from poll_messages`);
      await registry.sql.run(sql`
        insert into poll_messages (id, registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
        overriding system value select 17, id, 'wrong_codes', 'text', 'Domain', 1, now() from registrars where code = 'ALPHA'`);
    }
    if (id === 'listWebhooks')
      await registry.sql.run(
        sql`update webhook_endpoints set public_id = 'whe_5f3a0c1e9b7d2468' where description <> 'recorder'`,
      );
    if (id === 'listWebhookDeliveries')
      await registry.sql.run(
        sql`update webhook_events set event_id = 'msg_0b6d2c1e8a3f4f579a416f0c2f4f7a10' where type = 'webhook.test'`,
      );
    if (id === 'deleteContact') await registry.sql.run(sql`delete from domains`);
  }

  test('success: the server has its whole address, in the documents of all APIs', async () => {
    for (const name of ['registrar', 'reservation', 'billing']) {
      const { servers } = (await (await fetch(`${registry.url}/openapi/${name}.json`)).json()) as {
        servers: object;
      };
      expect(servers).toEqual([{ url: registry.url }]);
    }
  });

  test('success: every status of every call has an example, and every example obeys its schema', async () => {
    const document = await ApiDocument.of(registry.url);
    let examples = 0;
    for (const { method, path, call } of calls()) {
      for (const [status, response] of Object.entries(call.responses)) {
        if (document.documentType(method, path.replace(/\{\w+\}/g, 'x'), Number(status))) continue;
        const { example, examples: named = {} } = response.content['application/json'];
        const values = [...(example ? [example] : []), ...Object.values(named).map(({ value }) => value)];
        expect(values.length).toBeGreaterThan(0);
        for (const value of values)
          expect(document.complaints(method, path.replace(/\{\w+\}/g, 'x'), Number(status), value)).toEqual(
            [],
          );
        examples += values.length;
      }
    }
    expect(examples).toBeGreaterThan(300);
  });
});

describe('below HTTP', () => {
  const send = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(registry.url);
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
      socket.on('error', reject);
    });

  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n'],
    [
      'two lengths',
      `POST ${API}/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
    ],
    ['headers of 64 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(65_536)}\r\n\r\n`],
  ])('failure: %s is answered in the envelope', async (_what, bytes) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/x-request-id: \S+/i);
    expect(JSON.parse(body)).toMatchObject({ code: 2001, data: {} });
  });

  test('failure: a request that does not arrive in time is answered and dropped', async () => {
    const shortTimeout = await startFreshRegistry({ requestTimeoutMs: 300 });
    try {
      const { hostname, port } = new URL(shortTimeout.url);
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`POST ${API}/contacts HTTP/1.1\r\nHost: x\r\nContent-Le`),
        );
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('close', () => resolve(text));
        socket.on('error', reject);
      });
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    } finally {
      await shortTimeout.stop();
    }
  });
});
