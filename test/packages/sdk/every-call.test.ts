import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Registry } from '../../../packages/sdk/src/index.ts';
import { API } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { ApiDocument } from '../../support/document.ts';
import { freshName, hosts, KEY, OTHER_KEY } from '../../support/domains.ts';
import { everyEndpoint } from '../../support/endpoints.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { clientOf } from './clients.ts';

let registry: TestRegistry;
const reached = new Set<string>();
let alpha: Registry;
let beta: Registry;
beforeAll(async () => {
  registry = await startRegistry();
  const document = await ApiDocument.of(registry.url);
  const onAttempt = ({ method, path }: { method: string; path: string }) => {
    expect(path.startsWith(API)).toBe(true);
    reached.add(document.find(method, path)?.id ?? `${method} ${path}`);
  };
  alpha = clientOf(registry.url, 'alpha', { onAttempt });
  beta = clientOf(registry.url, 'beta', { onAttempt });
});
afterAll(() => registry.stop());

const person = {
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
} as const;
const year = { period: 1, period_unit: 'y' } as const;

// One sequence of calls: each needs the answers of earlier ones.
test('success: every call of the API has a method that makes it', async () => {
  const code = freshCode();
  expect((await alpha.contacts.check(code)).data.contact.available).toBe(true);
  await alpha.contacts.create({ ...person, id: code });
  await alpha.contacts.update(code, { phone: '+372.1' });
  expect((await alpha.contacts.read(code)).data.contact).toMatchObject({ code, phone: '+372.1' });
  expect((await alpha.contacts.list({ q: code }).page()).items).toEqual([code]);
  const { data: other } = await alpha.contacts.create(person);
  const { data: unused } = await alpha.contacts.create(person);
  expect((await alpha.contacts.delete(unused.contact.code)).data).toEqual({});

  const name = freshName();
  expect((await alpha.domains.check(name)).data.domain.available).toBe(true);
  const [checked] = (await alpha.domains.checkMany([name])).data.domains;
  const [yearly] =
    checked?.prices.filter(
      ({ operation, ...price }) => operation === 'create' && price.period === 1 && price.period_unit === 'y',
    ) ?? [];
  expect((await alpha.billing.prices()).data.prices).toContainEqual(
    expect.objectContaining({ zone: 'ee', ...yearly }),
  );
  const { data: created } = await alpha.domains.create({
    name,
    registrant: code,
    ...year,
    transfer_code: 'chosen-code',
  });
  expect(created).toMatchObject({ domain: { name } });
  expect((await alpha.domains.list({ q: name }).page()).items).toEqual([name]);
  const { data: read } = await alpha.domains.read(name);
  expect((await alpha.domains.history(name).page()).items.map(({ operation }) => operation)).toEqual([
    'create',
  ]);
  await alpha.domains.renew(name, { ...year, exp_date: read.domain.expire_time.slice(0, 10) });
  await alpha.domains.addContacts(name, [{ code, type: 'tech' }]);
  expect((await alpha.domains.contacts(name)).data.tech_contacts).toEqual([code]);
  await alpha.bulk.replaceTechContact({ current_contact_id: code, new_contact_id: other.contact.code });
  await alpha.domains.removeContacts(name, [{ code: other.contact.code, type: 'tech' }]);
  await alpha.domains.update(name, { transfer_code: 'another-code' });

  const servers = ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] as const;
  await alpha.nameservers.add(name, hosts(...servers));
  await alpha.nameservers.remove(name, servers[2]);
  await alpha.bulk.replaceNameserver({
    type: 'nameserver',
    id: servers[0],
    attributes: { hostname: 'ns4.example.net' },
    domains: [name],
  });
  const { data: delegated } = await alpha.nameservers.list(name);
  expect(delegated.nameservers.map(({ hostname }) => hostname).sort()).toEqual([
    servers[1],
    'ns4.example.net',
  ]);
  await alpha.dnssec.add(name, [KEY, OTHER_KEY]);
  await alpha.dnssec.remove(name, [OTHER_KEY]);
  expect((await alpha.dnssec.list(name)).data.dns_keys).toHaveLength(1);
  await alpha.nameservers.removeAll(name);
  await alpha.statuses.set(name, 'clientHold');
  await alpha.statuses.remove(name, 'clientHold');
  expect((await alpha.bulk.renew({ domains: [name], renew_period: '1y' })).data.updated_domains).toEqual([
    name,
  ]);

  const { data: info } = await beta.transfers.info(name, { authCode: 'another-code' });
  expect(info.registrant.name).toBe(person.name);
  await beta.transfers.transfer(name, { transfer_code: 'another-code' });
  const { data: taken } = await beta.domains.read(name);
  const back = { domain_name: name, transfer_code: taken.domain.transfer_code ?? '' };
  expect((await alpha.bulk.transfer([back])).data.success).toHaveLength(1);
  await alpha.domains.delete(name, { verified: true });

  const { data: latest } = await alpha.messages.latest();
  if (latest.id === undefined) throw new Error('the transfers left no message');
  expect((await alpha.messages.list().page()).items).toContainEqual(latest);
  expect((await alpha.messages.acknowledge(latest.id)).data.read).toBe(true);
  expect((await alpha.messages.read(latest.id)).data.read).toBe(true);
  expect((await alpha.messages.acknowledgeMany({ ids: [latest.id, 999_999], read: true })).data).toEqual({
    notification_ids: [latest.id],
    unknown_ids: [999_999],
    read: true,
  });
  expect((await alpha.messages.list({ sort: 'created_at' }).page()).items).not.toContainEqual(latest);

  const { data: feed } = await alpha.events.read({ limit: 10 });
  expect(feed.events.length).toBeLessThanOrEqual(10);
  expect((await alpha.events.read({ after: feed.position })).data.events.length).toBeGreaterThan(0);

  const { data: topUp } = await alpha.billing.addCredit({ amount: '10.00' });
  const number = topUp.invoice.invoice_number;
  expect((await alpha.billing.invoices().page()).items[0]?.invoice_number).toBe(number);
  expect((await alpha.billing.invoice(number)).data.invoice.amount).toBe('10.00');
  expect(Buffer.from((await alpha.billing.invoicePdf(number)).data.subarray(0, 5)).toString()).toBe('%PDF-');
  expect(new TextDecoder().decode((await alpha.billing.invoiceUbl(number)).data)).toContain('<Invoice');
  const { data: account } = await alpha.billing.balance({ detailed: true });
  expect(account.transactions?.length).toBeGreaterThan(2);

  const { data: made } = await alpha.webhooks.create({ url: 'http://127.0.0.1:9/events' });
  const { id } = made.webhook;
  expect((await alpha.webhooks.list()).data.webhooks.map((each) => each.id)).toEqual([id]);
  expect((await alpha.webhooks.read(id)).data.webhook.url).toBe('http://127.0.0.1:9/events');
  await alpha.webhooks.update(id, { description: 'the shop' });
  await alpha.webhooks.rotateSecret(id);
  const { data: sent } = await alpha.webhooks.test(id);
  const eventId = sent.delivery.event_id;
  expect((await alpha.webhooks.deliveries(id).page()).items.map((each) => each.event_id)).toEqual([eventId]);
  expect((await alpha.webhooks.delivery(id, eventId)).data.delivery.type).toBe('webhook.test');
  await alpha.webhooks.replay(id, eventId);
  await alpha.webhooks.replayFailed(id, { since: '2026-01-01T00:00:00Z' });
  await alpha.webhooks.delete(id);

  const document = await ApiDocument.of(registry.url);
  const ids = Object.entries(document.document.paths).flatMap(([, operations]) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  expect(ids.length).toBeGreaterThan(40);
  expect(everyEndpoint().length).toBeGreaterThan(ids.length);
  expect([...reached].sort()).toEqual([...ids].sort());
});
