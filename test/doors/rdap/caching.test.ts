import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { Registrant } from '../../support/domains.ts';
import { moveClock } from '../../support/life.ts';
import { basic, RdapClient } from '../../support/rdap.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let rdap: RdapClient;
let name: string;
beforeAll(async () => {
  registry = await startRegistry();
  rdap = new RdapClient(registry.url);
  name = await (await Registrant.of(alpha(registry.url))).register();
});
afterAll(() => registry.stop());

const SHOWN = ['content-type', 'cache-control', 'etag', 'vary', 'access-control-allow-origin'];
const shown = (headers: Headers) => SHOWN.map((header) => headers.get(header));

describe('answers to the public', () => {
  test('success: the ETag does not depend on the time of reading, and changes with the domain', async () => {
    const first = await rdap.domain(name);
    expect(first.headers.get('cache-control')).toBe('public, max-age=30');
    expect(first.headers.get('vary')).toBe('authorization');
    const etag = first.headers.get('etag') ?? '';
    await moveClock(registry, { advance: 'PT2H' });
    const again = await rdap.domain(name);
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.text).not.toBe(first.text);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await rdap.domain(name, { headers: { 'if-none-match': tag } });
      expect(same.status).toBe(304);
      expect(same.headers.get('etag')).toBe(etag);
      expect(same.headers.get('content-type')).toBeNull();
    }
    const put = await alpha(registry.url).put(`/domains/${name}/statuses/clientHold`);
    expect(put.status).toBe(200);
    const changed = await rdap.domain(name, { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.body.status.toSorted()).toEqual(['client hold', 'inactive']);
  });

  test('success: HEAD has the headers of GET and no body (rdap-05, rdap-07)', async () => {
    for (const path of [`/domain/${name}`, '/entity/ALPHA', '/help', '/dns.json']) {
      const [get, head] = [await rdap.get(path), await rdap.get(path, { method: 'HEAD' })];
      expect(head.status).toBe(200);
      expect(shown(head.headers)).toEqual(shown(get.headers));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    }
    for (const path of ['/domain/nobody-has-this.ee', '/domain/a_b.ee', '/nowhere', '/ip/192.0.2.1']) {
      const [get, head] = [await rdap.get(path), await rdap.get(path, { method: 'HEAD' })];
      expect([head.status, ...shown(head.headers)]).toEqual([get.status, ...shown(get.headers)]);
      expect(head.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('success: help and the bootstrap file have ETags too', async () => {
    for (const path of ['/help', '/dns.json']) {
      const { headers } = await rdap.get(path);
      const again = await rdap.get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    }
  });
});

test('success: answers for one viewer only are not cached', async () => {
  const own = new RdapClient(registry.url, basic('alpha'));
  const { headers } = await own.domain(name, { headers: { 'if-none-match': '*' } });
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('etag')).toBeNull();
  expect(headers.get('vary')).toBe('authorization');
});
