// Generated from the OpenAPI document of the registrar API by npm run sdk:generate. Do not edit.

import type { Registry } from 'cadastre-sdk';

export async function readBalance(registry: Registry) {
  const { data } = await registry.billing.balance({ detailed: true });
  return data;
}
export async function addCredit(registry: Registry) {
  const { data } = await registry.billing.addCredit({ amount: '100.00' }, { key: 'order-1' });
  return data;
}
export async function listInvoices(registry: Registry, console: Console) {
  for await (const item of registry.billing.invoices({ limit: 10 })) console.log(item);
}
export async function readInvoice(registry: Registry) {
  const { data } = await registry.billing.invoice('150005');
  return data;
}
export async function readInvoicePdf(registry: Registry) {
  const { data } = await registry.billing.invoicePdf('150005');
  return data;
}
export async function readInvoiceUbl(registry: Registry) {
  const { data } = await registry.billing.invoiceUbl('150005');
  return data;
}
export async function listNotifications(registry: Registry, console: Console) {
  for await (const item of registry.messages.list({ limit: 10 })) console.log(item);
}
export async function readLatestNotification(registry: Registry) {
  const { data } = await registry.messages.latest();
  return data;
}
export async function acknowledgeNotifications(registry: Registry) {
  const { data } = await registry.messages.acknowledgeMany({ ids: [17, 18], read: true });
  return data;
}
export async function readNotification(registry: Registry) {
  const { data } = await registry.messages.read('17');
  return data;
}
export async function acknowledgeNotification(registry: Registry) {
  const { data } = await registry.messages.acknowledge('17');
  return data;
}
export async function readEvents(registry: Registry) {
  const { data } = await registry.events.read({ limit: 10 });
  return data;
}
export async function listContacts(registry: Registry, console: Console) {
  for await (const item of registry.contacts.list({ limit: 2 })) console.log(item);
}
export async function createContact(registry: Registry) {
  const { data } = await registry.contacts.create({
    id: 'mari',
    name: 'Mari Maasikas',
    email: 'mari@example.ee',
    phone: '+372.5551234',
    ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
  });
  return data;
}
export async function checkContact(registry: Registry) {
  const { data } = await registry.contacts.check('mari');
  return data;
}
export async function readContact(registry: Registry) {
  const { data } = await registry.contacts.read('mari');
  return data;
}
export async function updateContact(registry: Registry) {
  const { data } = await registry.contacts.update('mari', { phone: '+372.5550000' });
  return data;
}
export async function deleteContact(registry: Registry) {
  const { data } = await registry.contacts.delete('mari');
  return data;
}
export async function listDomains(registry: Registry, console: Console) {
  for await (const item of registry.domains.list({ limit: 2 })) console.log(item);
}
export async function createDomain(registry: Registry) {
  const { data } = await registry.domains.create(
    {
      name: 'example.ee',
      registrant: 'mari',
      period_unit: 'y',
      period: 1,
      admin_contacts: ['mari'],
      tech_contacts: ['mari'],
      nameservers_attributes: [
        {
          hostname: 'ns1.example.ee',
          ipv4: ['192.0.2.1'],
          ipv6: ['2001:db8::1'],
        },
        { hostname: 'ns.example.net' },
      ],
      dnskeys_attributes: [
        {
          flags: '257',
          protocol: '3',
          alg: '13',
          public_key:
            'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
        },
      ],
    },
    { key: 'order-1' },
  );
  return data;
}
export async function checkDomain(registry: Registry) {
  const { data } = await registry.domains.check('example.ee');
  return data;
}
export async function readDomain(registry: Registry) {
  const { data } = await registry.domains.read('example.ee');
  return data;
}
export async function updateDomain(registry: Registry) {
  const { data } = await registry.domains.update('example.ee', {
    registrant: { code: 'jaan', verified: true },
  });
  return data;
}
export async function deleteDomain(registry: Registry) {
  const { data } = await registry.domains.delete('example.ee', { verified: true });
  return data;
}
export async function listDomainHistory(registry: Registry, console: Console) {
  for await (const item of registry.domains.history('example.ee', { limit: 10 })) console.log(item);
}
export async function listPrices(registry: Registry) {
  const { data } = await registry.billing.prices();
  return data;
}
export async function checkDomains(registry: Registry) {
  const { data } = await registry.domains.checkMany(['example.ee']);
  return data;
}
export async function listDomainContacts(registry: Registry) {
  const { data } = await registry.domains.contacts('example.ee');
  return data;
}
export async function addDomainContacts(registry: Registry) {
  const { data } = await registry.domains.addContacts('example.ee', [{ code: 'jaan', type: 'tech' }]);
  return data;
}
export async function removeDomainContacts(registry: Registry) {
  const { data } = await registry.domains.removeContacts('example.ee', [{ code: 'jaan', type: 'tech' }]);
  return data;
}
export async function listNameservers(registry: Registry) {
  const { data } = await registry.nameservers.list('example.ee');
  return data;
}
export async function addNameservers(registry: Registry) {
  const { data } = await registry.nameservers.add('example.ee', [{ hostname: 'ns3.example.net' }]);
  return data;
}
export async function removeNameservers(registry: Registry) {
  const { data } = await registry.nameservers.removeAll('example.ee');
  return data;
}
export async function removeNameserver(registry: Registry) {
  const { data } = await registry.nameservers.remove('example.ee', 'ns3.example.net');
  return data;
}
export async function listKeys(registry: Registry) {
  const { data } = await registry.dnssec.list('example.ee');
  return data;
}
export async function addKeys(registry: Registry) {
  const { data } = await registry.dnssec.add('example.ee', [
    {
      flags: '257',
      protocol: '3',
      alg: '15',
      public_key: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    },
  ]);
  return data;
}
export async function removeKeys(registry: Registry) {
  const { data } = await registry.dnssec.remove('example.ee', [
    {
      flags: '257',
      protocol: '3',
      alg: '15',
      public_key: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    },
  ]);
  return data;
}
export async function setStatus(registry: Registry) {
  const { data } = await registry.statuses.set('example.ee', 'clientHold');
  return data;
}
export async function removeStatus(registry: Registry) {
  const { data } = await registry.statuses.remove('example.ee', 'clientHold');
  return data;
}
export async function readTransferInfo(registry: Registry) {
  const { data } = await registry.transfers.info('example.ee');
  return data;
}
export async function transferDomain(registry: Registry) {
  const { data } = await registry.transfers.transfer('example.ee', {
    transfer_code: '98765abcde98765abcde98765abcde98',
  });
  return data;
}
export async function transferDomains(registry: Registry) {
  const { data } = await registry.bulk.transfer([
    {
      domain_name: 'example.ee',
      transfer_code: '98765abcde98765abcde98765abcde98',
    },
    { domain_name: 'näide.ee', transfer_code: 'a guess' },
  ]);
  return data;
}
export async function replaceTechContact(registry: Registry) {
  const { data } = await registry.bulk.replaceTechContact({
    current_contact_id: 'mari',
    new_contact_id: 'jaan',
  });
  return data;
}
export async function replaceNameserver(registry: Registry) {
  const { data } = await registry.bulk.replaceNameserver({
    type: 'nameserver',
    id: 'ns.example.net',
    domains: ['example.ee', 'näide.ee'],
    attributes: { hostname: 'ns2.example.net' },
  });
  return data;
}
export async function renewDomain(registry: Registry) {
  const { data } = await registry.domains.renew(
    'example.ee',
    { period: 1, period_unit: 'y', exp_date: '2027-11-16' },
    { key: 'order-1' },
  );
  return data;
}
export async function renewDomains(registry: Registry) {
  const { data } = await registry.bulk.renew(
    { domains: ['example.ee', 'näide.ee'], renew_period: '1y' },
    { key: 'order-1' },
  );
  return data;
}
export async function listWebhooks(registry: Registry) {
  const { data } = await registry.webhooks.list();
  return data;
}
export async function createWebhook(registry: Registry) {
  const { data } = await registry.webhooks.create({
    url: 'https://shop.example/cadastre',
    description: 'the shop',
  });
  return data;
}
export async function readWebhook(registry: Registry) {
  const { data } = await registry.webhooks.read('whe_5f3a0c1e9b7d2468');
  return data;
}
export async function updateWebhook(registry: Registry) {
  const { data } = await registry.webhooks.update('whe_5f3a0c1e9b7d2468', {
    event_types: ['domain.registered', 'domain.transferred_away'],
  });
  return data;
}
export async function deleteWebhook(registry: Registry) {
  const { data } = await registry.webhooks.delete('whe_5f3a0c1e9b7d2468');
  return data;
}
export async function rotateWebhookSecret(registry: Registry) {
  const { data } = await registry.webhooks.rotateSecret('whe_5f3a0c1e9b7d2468');
  return data;
}
export async function testWebhook(registry: Registry) {
  const { data } = await registry.webhooks.test('whe_5f3a0c1e9b7d2468');
  return data;
}
export async function listWebhookDeliveries(registry: Registry, console: Console) {
  for await (const item of registry.webhooks.deliveries('whe_5f3a0c1e9b7d2468')) console.log(item);
}
export async function readWebhookDelivery(registry: Registry) {
  const { data } = await registry.webhooks.delivery(
    'whe_5f3a0c1e9b7d2468',
    'msg_0b6d2c1e8a3f4f579a416f0c2f4f7a10',
  );
  return data;
}
export async function replayWebhookDelivery(registry: Registry) {
  const { data } = await registry.webhooks.replay(
    'whe_5f3a0c1e9b7d2468',
    'msg_0b6d2c1e8a3f4f579a416f0c2f4f7a10',
  );
  return data;
}
export async function replayWebhook(registry: Registry) {
  const { data } = await registry.webhooks.replayFailed('whe_5f3a0c1e9b7d2468', {
    since: '2026-11-15T00:00:00Z',
  });
  return data;
}
