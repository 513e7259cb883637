import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSearch } from '../../../src/doors/console/search/read-search.ts';
import { ee } from '../../../src/policy/ee.ts';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { createContact } from '../../support/contacts.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { moneyObjects } from '../../support/money-objects.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

describe('what was typed or pasted', () => {
  test.each([
    ['mets.ee', 'mets.ee', 'mets.ee'],
    [' METS.ee ', 'mets.ee', 'mets.ee'],
    ['https://www.mets.ee/pood?x=1#y', 'mets.ee', 'www.mets.ee'],
    ['http://mets.ee:8080', 'mets.ee', 'mets.ee'],
    ['jaan@mail.mets.ee', 'mets.ee', 'mail.mets.ee'],
    ['mets.ee.', 'mets.ee', 'mets.ee'],
    ['pood.mets.com.ee', 'mets.com.ee', 'pood.mets.com.ee'],
    ['xn--prnu-loa.ee', 'pärnu.ee', 'pärnu.ee'],
    ['ns1.hoster.example', undefined, 'ns1.hoster.example'],
    ['Mari Maasikas', undefined, undefined],
    ['mets', undefined, undefined],
    ['.ee', undefined, undefined],
    ['', undefined, undefined],
    ['\u0000', undefined, undefined],
    ['..', undefined, undefined],
  ])('success: %j has the domain %j and the host %j', (text, name, host) => {
    const search = readSearch(text, ee);
    expect([search.name, search.host]).toEqual([name, host]);
  });

  test('success: digits are the number of an invoice, too', () => {
    expect(readSearch('150008', ee).number).toBe(150_008);
    expect([readSearch('15a', ee).number, readSearch('9'.repeat(13), ee).number]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the search of everything', () => {
  let registry: TestRegistry;
  let admin: ConsoleClient;
  let invoice: string;
  let mari: string;
  beforeAll(async () => {
    registry = await startRegistry();
    const client = alpha(registry.url);
    mari = await createContact(client, {
      id: 'mari-1',
      name: 'Mari Maasikas',
      email: 'mari@maasikas.example',
    });
    const registrant = new Registrant(client, mari);
    await registrant.register({
      name: 'mets.ee',
      nameservers_attributes: hosts('ns1.hoster.example', 'ns2.hoster.example'),
    });
    await registrant.register({ name: 'metsmaasikas.ee' });
    await (await Registrant.of(beta(registry.url))).register({ name: 'metsalill.ee' });
    invoice = (await moneyObjects(registry)).number ?? '';
    admin = await loggedIn(registry.url);
  });
  afterAll(() => registry.stop());

  const found = async (text: string, client = admin) => {
    const { status, text: page } = await client.get(`/console/search?${new URLSearchParams({ q: text })}`);
    expect(status).toBe(200);
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    return [...main.matchAll(/href="(?:\/console)?([^"]+)"/g)].map(([, address = '']) => address);
  };
  const domain = (name: string) => `/domains/${name}`;

  test('success: domains by a part of the name, their registrant, or a nameserver; none of others', async () => {
    expect(await found('mets')).toEqual(
      expect.arrayContaining([domain('mets.ee'), domain('metsmaasikas.ee')]),
    );
    expect(await found('mets')).not.toContain(domain('metsalill.ee'));
    expect(await found('mari maas')).toEqual(
      expect.arrayContaining([
        domain('mets.ee'),
        domain('metsmaasikas.ee'),
        `/contacts/${encodeURIComponent(mari)}`,
      ]),
    );
    expect(await found('ns2.hoster.example')).toContain(domain('mets.ee'));
    expect(await found('ns2.hoster.example')).not.toContain(domain('metsmaasikas.ee'));
  });

  test('success: what is more than the page shows is behind links to the lists', async () => {
    const client = alpha(registry.url);
    const registrant = new Registrant(client, await createContact(client, { name: 'Kask Ten' }));
    for (let number = 1; number <= 9; number++) await registrant.register({ name: `kask${number}.ee` });
    const links = await found('kask');
    expect(links.filter((link) => /^\/domains\/kask\d\.ee$/.test(link))).toHaveLength(8);
    expect(links.filter((link) => link.includes('?'))).toEqual([
      '/domains?name=kask',
      '/domains?registrant=kask*',
    ]);
    const { status } = await admin.get('/console/domains?registrant=kask*');
    expect(status).toBe(200);
  });

  test('success: an address that was pasted', async () => {
    expect(await found('https://www.mets.ee/pood')).toContain(domain('mets.ee'));
  });

  test('success: people by code, by identification and by e-mail address', async () => {
    const contact = `/contacts/${encodeURIComponent(mari)}`;
    for (const text of ['mari-1', '60001019906', 'Mari@maasikas.example'])
      expect(await found(text), text).toContain(contact);
  });

  test('success: an invoice by its number, for those who see money', async () => {
    expect(await found(invoice)).toContain(`/invoices/${invoice}`);
    expect(await found(invoice, await loggedIn(registry.url, 'reader'))).toEqual([]);
  });

  test('success: a name of others leads to the look-up and to a registration', async () => {
    expect(await found('metsalill.ee')).toEqual([
      '/lookup?name=metsalill.ee&amp;lang=en',
      '/domains/register?name=metsalill.ee',
    ]);
    expect(await found('metsalill.ee', await loggedIn(registry.url, 'reader'))).toEqual([
      '/lookup?name=metsalill.ee&amp;lang=en',
    ]);
  });

  test('success: nothing asked, nothing found, nothing that can be stored', async () => {
    for (const text of ['', 'zzzz', '\u0000', '%', '_']) expect(await found(text), text).toEqual([]);
  });
});
