import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/platform/logging.ts';
import type { Span } from '../../../src/platform/tracing/otlp.ts';
import { SpanExporter } from '../../../src/platform/tracing/span-exporter.ts';
import { alpha } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { samplesAt } from '../../support/metrics.ts';
import { freshRegistryForThisTest, keptLog } from '../../support/registry.ts';
import { timed } from '../../support/running-time.ts';

type Attribute = { readonly key: string; readonly value: { stringValue?: string; intValue?: number } };
type Sent = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status?: { readonly code: number };
};

/** A collector on a free port, ended with the test. */
async function openCollector(answer: (response: ServerResponse) => void = (response) => response.end('{}')) {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const collector = { answer };
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    collector.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const spans = () =>
    requests.flatMap(({ body }): Sent[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  const { port } = server.address() as AddressInfo;
  return Object.assign(collector, { url: `http://127.0.0.1:${port}`, requests, spans });
}

const span = (number: number): Span => ({
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: number.toString(16).padStart(16, '0'),
  parentId: undefined,
  name: 'work',
  kind: 'server',
  startedAt: 1,
  endedAt: 2.5,
  isFailure: false,
  attributes: { number },
});

function openExporter(url: string, limits = {}) {
  const { sink, logged } = keptLog();
  const log = createLog('info', sink);
  const exporter = new SpanExporter({
    url,
    headers: { authorization: 'Bearer t' },
    resource: { 'service.name': 'test' },
    log,
    intervalMs: 20,
    ...limits,
  });
  onTestFinished(() => exporter.close());
  return { exporter, logged };
}

test('success: spans arrive in batches, with the headers of the setting', async () => {
  const collector = await openCollector();
  const { exporter } = openExporter(collector.url);
  for (let number = 1; number <= 1_500; number++) exporter.add(span(number));
  await expect.poll(() => exporter.exported).toBe(1_500);
  expect(collector.requests.length).toBeLessThanOrEqual(4);
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  });
  expect(new Set(collector.spans().map(({ spanId }) => spanId)).size).toBe(1_500);
  const [first] = collector.spans();
  expect(Number(first?.endTimeUnixNano) - Number(first?.startTimeUnixNano)).toBeCloseTo(1.5e6, -4);
});

describe('a collector that', () => {
  test.each([
    ['never answers', () => {}],
    [
      'answers without an end',
      (response: ServerResponse) => void setInterval(() => response.write('x'.repeat(65_536)), 1).unref(),
    ],
    ['refuses', (response: ServerResponse) => response.writeHead(500).end('no')],
    [
      'redirects',
      (response: ServerResponse) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['cuts the connection', (response: ServerResponse) => response.destroy()],
    ['speaks no HTTP', (response: ServerResponse) => void response.socket?.end('hello\r\n')],
  ])('failure: %s costs at most a bounded queue, and one request at a time', async (what, answer) => {
    const collector = await openCollector(answer);
    // The pause after a failure, which is longer each time, is not over before the requests are counted.
    const { exporter, logged } = openExporter(collector.url, {
      intervalMs: 30_000,
      ...(what === 'never answers' && { timeoutMs: 200 }),
    });
    for (let number = 1; number <= 20_000; number++) exporter.add(span(number));
    // Added at once, so that no batch was sent meanwhile: what the queue does not hold is dropped.
    expect(exporter.dropped).toBeGreaterThanOrEqual(20_000 - 4_096 - 512);
    if (what === 'answers without an end') {
      // Only its status is read.
      await expect.poll(() => exporter.exported).toBeGreaterThan(0);
      return;
    }
    await expect.poll(logged).toContain('spans cannot be exported and are dropped');
    expect(exporter.exported).toBe(0);
    expect(collector.requests.length).toBeLessThanOrEqual(2);
    const { ms } = await timed(exporter.close());
    expect(ms).toBeLessThan(2_000);
    expect(exporter.dropped).toBe(20_000);
  });

  test('success: recovers gets spans again, and the log says so once', async () => {
    const collector = await openCollector((response) => response.writeHead(503).end());
    const { exporter, logged } = openExporter(collector.url);
    exporter.add(span(1));
    await expect.poll(() => exporter.dropped).toBe(1);
    collector.answer = (response) => response.end('{}');
    exporter.add(span(2));
    await expect.poll(() => exporter.exported).toBe(1);
    expect(logged().match(/spans cannot be exported/g)).toHaveLength(1);
    expect(logged().match(/spans are exported again/g)).toHaveLength(1);
  });
});

test('success: a request is a span of the caller’s trace, its statements are below it, and no value is sent', async () => {
  const collector = await openCollector();
  const registry = await freshRegistryForThisTest({ otlpEndpoint: collector.url });
  const code = await createContact(alpha(registry.url), { name: 'Very Secret Name' });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const reply = await alpha(registry.url).get(`/contacts/${encodeURIComponent(code)}`, {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` },
  });
  const ours = () => collector.spans().filter((sent) => sent.traceId === traceId);
  await expect.poll(() => ours().some(({ kind }) => kind === 2)).toBe(true);
  const request = ours().find(({ kind }) => kind === 2);
  expect(request).toMatchObject({
    name: 'GET /registry/v1/contacts/:contact_id',
    parentSpanId: '00f067aa0ba902b7',
    attributes: [
      { key: 'http.request.method', value: { stringValue: 'GET' } },
      { key: 'http.route', value: { stringValue: '/registry/v1/contacts/:contact_id' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
      { key: 'cadastre.result_code', value: { intValue: 1000 } },
      { key: 'cadastre.request_id', value: { stringValue: reply.headers.get('x-request-id') } },
    ],
  });
  const statements = ours().filter(({ kind }) => kind === 3);
  expect(statements.length).toBeGreaterThan(0);
  for (const { parentSpanId, attributes } of statements) {
    expect(parentSpanId).toBe(request?.spanId);
    expect(attributes[1]).toMatchObject({
      key: 'db.query.text',
      value: { stringValue: expect.stringMatching(/\w/) },
    });
  }
  const sent = collector.requests.map(({ body }) => body).join('');
  for (const secret of ['Very Secret Name', code, 'alpha-sandbox', '127.0.0.1'])
    expect(sent).not.toContain(secret);
  expect((await samplesAt(registry.metricsUrl)).get('cadastre_spans_exported_total')).toBeGreaterThan(1);
});

test('failure: a collector that never answers delays no request', async () => {
  const collector = await openCollector(() => {});
  const registry = await freshRegistryForThisTest({ otlpEndpoint: collector.url });
  const client = alpha(registry.url);
  await createContact(client);
  await expect.poll(() => collector.requests.length).toBe(1);
  for (let count = 0; count < 20; count++) expect((await client.get('/contacts')).status).toBe(200);
  // All of them while the first export is still waited for.
  expect(collector.requests).toHaveLength(1);
  expect(registry.logged()).not.toContain('spans cannot be exported');
});
