import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readApi } from '../../../../src/doors/pages/reference/model.ts';
import { sendTrial } from '../../../../src/doors/sandbox/trial/send-trial.ts';
import { trialFields } from '../../../../src/doors/sandbox/trial/trial-form.ts';
import { callPath } from '../../../../src/doors/pages/reference/places.ts';
import { trialPage } from '../../../../src/doors/sandbox/trial/trial-page.ts';
import { readTrial } from '../../../../src/doors/sandbox/trial/trial-request.ts';
import { documentsByName } from '../../../support/endpoints.ts';
import { startRegistry, type TestRegistry } from '../../../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const apis = Object.entries(documentsByName()).map(([apiName, document]) => ({
  apiName,
  api: readApi(document),
}));
const tried = apis.flatMap(({ apiName, api }) => api.calls.map((call) => ({ apiName, api, call })));
const triedCall = (id: string) => tried.find(({ call }) => call.id === id) ?? expect.fail(id);

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const USER = { user: 'alpha', password: 'alpha-sandbox-password' };

/** Submits the form of a call as a browser does. */
async function submit(
  id: string,
  fields: Record<string, string>,
  headers: Record<string, string> = OWN_PAGE,
) {
  const reply = await fetch(`${registry.url}/docs/try/${id}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, plain: text.replaceAll(/<[^>]+>/g, '') };
}

/** The initial values of a form. */
async function formOf(id: string): Promise<Record<string, string>> {
  const markup = await (await fetch(`${registry.url}/docs/try/${id}`)).text();
  const unescaped = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  const inputs = markup.matchAll(/<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"/g);
  const areas = markup.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>\n([^<]*)</g);
  return Object.fromEntries(
    Array.from([...inputs, ...areas], ([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

describe('trying the calls of /docs', () => {
  test('success: the page of its group links to a form for each call of the three APIs, which has its example', async () => {
    const pages = new Map<string, string>();
    for (const each of tried) {
      const { id, parameters, body } = each.call;
      const path = callPath(each.apiName, each.call).replace(/#.*/, '');
      const page = pages.get(path) ?? (await (await fetch(registry.url + path)).text());
      pages.set(path, page);
      expect(page).toContain(`href="/docs/try/${id}"`);
      const form = trialPage(each, trialFields(each, { ...USER, tokens: {} }));
      for (const { place, name } of parameters) expect(form).toContain(`name="${place}.${name}"`);
      expect([id, form.includes('name="body"')]).toEqual([id, body !== undefined]);
    }
  });

  test('success: the prefilled form creates the contact; request, status, headers, body and request id are shown', async () => {
    const first = await submit('createContact', await formOf('createContact'));
    expect([first.status, first.plain]).toEqual([200, expect.stringContaining('Answer 200 OK')]);
    expect(first.plain).toContain('"code": 1000'.replaceAll('"', '&quot;'));
    expect(first.plain).toMatch(/Request id[\w\s-]{8,}/);
    expect(first.plain).toContain('POST /registry/v1/contacts HTTP/1.1');
    expect(first.plain).toContain('Authorization: Basic ');
    expect(first.plain).toContain('Content-Type: application/json');
    expect(first.plain).toContain('ratelimit');
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    const again = await submit('createContact', await formOf('createContact'));
    expect(again.plain).toContain('Answer 400 Bad Request');
    expect(again.plain).toContain('2302');
  });

  test('success: the portal and the services are tried with their own credentials', async () => {
    for (const api of ['reservation', 'billing']) {
      const ids = tried
        .filter(({ apiName, call }) => apiName === api && !call.isOpen)
        .map(({ call }) => call.id);
      for (const id of ids.slice(0, 2)) {
        const { plain } = await submit(id, await formOf(id));
        expect([id, plain]).toEqual([id, expect.stringMatching(/Answer (200|201|400|404)/)]);
      }
    }
  });

  test('success: a document is not shown, only its type and size', async () => {
    const { plain } = await submit('addCredit', await formOf('addCredit'));
    const [, number = ''] = /invoice_number&quot;: (\d+)/.exec(plain) ?? [];
    const shown = await submit('readInvoicePdf', { ...USER, 'path.invoice_number': number });
    expect(shown.plain).toMatch(/A document of the type application\/pdf, \d+ bytes/);
  });

  test('success: malformed JSON is sent as it is, and hostile values are shown as text', async () => {
    const evil = '</textarea><script>x</script>';
    const { text, plain } = await submit('createContact', { ...USER, body: evil });
    expect(plain).toContain('Answer 400');
    expect(text).not.toContain('<script');
  });

  test('failure: what another site submits or opens is refused', async () => {
    const form = { ...USER, body: '{}' };
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])
      expect((await submit('createContact', form, headers as never)).status).toBeGreaterThanOrEqual(403);
    const framed = { 'sec-fetch-site': 'cross-site' };
    const opened = await fetch(`${registry.url}/docs/try/createContact`, { headers: framed });
    expect(opened.status).toBe(403);
  });

  test('failure: unknown calls have no form', async () => {
    for (const id of ['nothing', '__proto__', '..%2fsandbox%2freset'])
      expect((await fetch(`${registry.url}/docs/try/${id}`)).status).toBe(404);
    expect((await submit('nothing', {})).status).toBe(404);
  });

  test.each([
    ['JSON', 415, 'application/json', '{}'],
    ['an oversized form', 413, 'application/x-www-form-urlencoded', `body=${'a'.repeat(300_000)}`],
  ])('failure: %s is %i', async (_what, status, type, body) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type };
    const answer = await fetch(`${registry.url}/docs/try/createContact`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/^The request cannot be read: /) });
  });

  test('failure: an invalid field is named, and nothing is sent', async () => {
    const { status, text } = await submit('readDomain', { ...USER, 'path.domain_name': '..' });
    expect([status, text]).toEqual([400, expect.stringContaining('domain_name names no object')]);
    expect(text).not.toContain('id="answer"');
  });
});

describe('the request that a form describes', () => {
  const requestOf = (id: string, values: Record<string, string>) =>
    readTrial(triedCall(id), (name) => values[name] ?? '');

  test('success: it has only documented names and encoded values', () => {
    expect(
      requestOf('readTransferInfo', {
        'path.domain_name': '../../sandbox/reset?a=$&',
        'query.host': 'evil',
        'header.Host': 'evil',
        'header.Auth-Code': 'code',
        body: 'ignored',
        token: 'ignored',
      }),
    ).toEqual({
      request: {
        method: 'GET',
        body: undefined,
        headers: { 'Auth-Code': 'code' },
        path: '/registry/v1/domains/..%2F..%2Fsandbox%2Freset%3Fa%3D%24%26/transfer_info',
      },
    });
  });

  test.each([
    ['readDomain', { 'path.domain_name': '' }, 'path.domain_name'],
    ['readDomain', { 'path.domain_name': '.' }, 'path.domain_name'],
    [
      'readTransferInfo',
      { 'path.domain_name': 'a.ee', 'header.Auth-Code': 'a\r\nHost: evil' },
      'header.Auth-Code',
    ],
  ])('failure: %s %j', (id, values, name) => {
    expect(requestOf(id, values)).toEqual({ faults: { [name]: expect.any(String) } });
  });
});

describe('sending', () => {
  /** A server that answers with that many bytes, or never. */
  async function serverThatAnswers(bytes: number | undefined): Promise<string> {
    const server = createServer((_request, response) => {
      if (bytes !== undefined) response.end(Buffer.alloc(bytes, 'x'));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const request = { method: 'GET', path: '/', headers: {}, body: undefined };

  test('success: a long answer is truncated', async () => {
    const { body, isCut } = await sendTrial(await serverThatAnswers(300_000), request);
    expect([body.byteLength, isCut]).toEqual([262_144, true]);
  });

  test('failure: an answer that does not arrive', async () => {
    await expect(sendTrial(await serverThatAnswers(undefined), request, 20)).rejects.toThrow(
      /abort|timeout/i,
    );
  });
});
