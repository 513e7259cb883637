import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCall, make, type ReadyCall } from '../support/calls.ts';
import { API, alpha, type Client } from '../support/client.ts';
import { freshCode } from '../support/contacts.ts';
import { ApiDocument } from '../support/document.ts';
import { apiDocument } from '../support/endpoints.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { readPage } from './markdown.ts';

/** Compares docs/integrate/retrying.md with the behaviour of every call. */
const GUIDE = readPage('docs/integrate/retrying.md');

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

/** Marking messages is left to their own test: the message of everyCall does not exist. A check of names changes nothing. */
async function everyChange(): Promise<ReadyCall[]> {
  return (await everyCall(client)).filter(
    ({ id, method, target }) =>
      method !== 'GET' && id !== 'checkDomains' && !target.includes('/notifications/'),
  );
}

/** The rows of the table: a call, and the number that its repetition without a key is refused with, if it is. */
function rows(): { call: string; refusal: number | undefined }[] {
  const found = GUIDE.matchAll(/^\| `([A-Z]+ \/\S*)`(?: with(?:out)? `id`)? \| (\d+)?.*\|$/gm);
  return Array.from(found, ([, call = '', refusal]) => ({
    call,
    refusal: refusal === undefined ? undefined : Number(refusal),
  }));
}

/** A call as the guide writes it: `PUT /contacts/:contact_id`. */
async function written({ id }: ReadyCall): Promise<string> {
  const { document } = await ApiDocument.of(registry.url);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId }] of Object.entries(methods))
      if (operationId === id)
        return `${method.toUpperCase()} ${path.slice(API.length).replace(/\{(\w+)\}/g, ':$1')}`;
  throw new Error(`no call is called ${id}`);
}

describe('docs/integrate/retrying.md', () => {
  test('success: it documents every call', () => {
    const calls = Object.entries(apiDocument().paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        const shown = path.slice(API.length).replace(/\{(\w+)\}/g, ':$1');
        return `${method.toUpperCase()} ${shown}`;
      }),
    );
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter((call) => !GUIDE.includes(`\`${call}\``))).toEqual([]);
  });

  test('success: a repetition with the idempotency key gets the first answer', async () => {
    for (const change of await everyChange()) {
      const key = { 'idempotency-key': freshCode() };
      const [first, second] = [await make(client, change, key), await make(client, change, key)];
      expect([change.id, first.status, first.headers.get('idempotency-replayed')]).toEqual([
        change.id,
        200,
        null,
      ]);
      expect([change.id, second.body, second.headers.get('idempotency-replayed')]).toEqual([
        change.id,
        first.body,
        'true',
      ]);
    }
  });

  test('success: a repetition without a key gets what the table says', async () => {
    const documented = rows();
    const changes = await everyChange();
    for (const change of changes) {
      expect([change.id, (await make(client, change)).status]).toEqual([change.id, 200]);
      const { status, body } = await make(client, change);
      const call = await written(change);
      const refusals = documented.filter((row) => row.call === call).map(({ refusal }) => refusal);
      expect([call, refusals]).toEqual([
        call,
        expect.arrayContaining([status === 200 ? undefined : refusals.includes(status) ? status : body.code]),
      ]);
    }
    // Each change has its row, the creation of a contact has two, and marking a message one more.
    expect(documented).toHaveLength(changes.length + 2);
  });
});
