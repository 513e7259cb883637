import { describe, expect, test } from 'vitest';
import { firstRequests } from '../../../src/doors/pages/first-requests.ts';
import { type HomeFacts, homePage } from '../../../src/doors/pages/home.ts';

const facts: HomeFacts = {
  mode: 'sandbox',
  version: '1.2.3',
  origin: 'http://127.0.0.1:9999',
  now: new Date('2031-05-06T07:08:09.123Z'),
  metricsUrl: 'http://127.0.0.1:19999/metrics',
  credentials: [
    { registrar: 'ALPHA', username: 'alpha', password: 'alpha-secret', roles: 'super', balance: '12345.00' },
    { registrar: 'B<TA', username: 'beta', password: '"><script>', roles: 'billing', balance: '5.00' },
  ],
  keys: [{ what: 'Token of the business portal', key: 'a-token' }],
  links: [
    { what: 'The base', path: '/registry/v1', methods: [] },
    { what: 'The clock', path: '/sandbox/clock', methods: ['GET', 'POST'] },
    { what: 'The reset', path: '/sandbox/reset', methods: ['POST'] },
  ],
};

describe('home of a sandbox', () => {
  const home = homePage(facts);

  test('success: it shows the credentials, escaped', () => {
    for (const text of ['ALPHA', 'alpha-secret', '12345.00', 'B&lt;TA', '&quot;&gt;&lt;script&gt;']) {
      expect(home).toContain(text);
    }
    expect(home).not.toContain('<script');
  });

  test("success: it shows the registry's clock and the version", () => {
    expect(home).toContain('<time datetime="2031-05-06T07:08:09.123Z">2031-05-06 07:08:09 UTC</time>');
    expect(home).toContain('1.2.3');
  });

  test('success: it links to what answers GET, and names the rest without a link', () => {
    expect(home).toContain('<a href="/sandbox/clock">');
    expect(home).toContain('<a href="http://127.0.0.1:19999/metrics">');
    expect(home).toContain('<code>/sandbox/reset</code>');
    expect(home).toContain('<code>http://127.0.0.1:9999/registry/v1</code>');
    expect(home).not.toContain('href="/sandbox/reset"');
  });

  test('success: the example requests go to this server as its first user', () => {
    const commands = firstRequests(facts.origin, 'alpha:alpha-secret').map(({ command }) => command);
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      expect(command).toMatch(/^curl (?:-X POST )?http:\/\/127\.0\.0\.1:9999\/registry\/v1\/contacts/);
      expect(command).toContain('-u alpha:alpha-secret');
    }
    expect(commands.join('\n')).toContain('Idempotency-Key');
    expect(commands.join('\n')).toContain('Dry-Run: true');
  });

  test('success: without metrics there is no row for them', () => {
    expect(homePage({ ...facts, metricsUrl: undefined })).not.toContain('Prometheus');
  });
});

describe('home of a production server', () => {
  const home = homePage({ ...facts, mode: 'production' });

  test('success: it shows name, version and a link to the reference', () => {
    for (const text of ['Cadastre', '1.2.3', 'href="/docs"']) expect(home).toContain(text);
  });

  test('failure: it shows no credential, control, metric or clock', () => {
    for (const text of ['alpha', 'secret', 'sandbox', 'metrics', '2031', '12345', 'curl']) {
      expect(home.toLowerCase()).not.toContain(text);
    }
  });
});
