import { beta, type Client, type Reply } from './client.ts';
import { createContact, freshCode, newContact } from './contacts.ts';
import { freshName, hosts, KEY, newDomain, OTHER_KEY, Registrant } from './domains.ts';

/** Every call of the API, ready to be made: what it needs is created first. */
export type ReadyCall = {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly body?: object;
};

/** A number that no message has: every user with the right is told so. */
const NO_MESSAGE = 999_999_999;
const NO_INVOICE = 999_999_999;

/** The calls, each on an object of its own, in an order in which all of them succeed. */
export async function everyCall(client: Client): Promise<ReadyCall[]> {
  return [
    ...(await contactCalls(client)),
    ...(await domainCalls(client)),
    ...(await transferCalls(client)),
    ...(await replacementCalls(client)),
    ...messageCalls(),
    { id: 'readEvents', method: 'GET', target: '/events' },
    { id: 'readBalance', method: 'GET', target: '/accounts/balance' },
    { id: 'listPrices', method: 'GET', target: '/prices' },
    ...(await invoiceCalls(client)),
    ...(await webhookCalls(client)),
  ];
}

async function invoiceCalls(client: Client): Promise<ReadyCall[]> {
  const body = { invoice: { amount: '10.00' } };
  const issued = await client.post('/invoices/add_credit', body);
  const at = `/invoices/${issued.body.data.invoice?.invoice_number ?? NO_INVOICE}`;
  return [
    { id: 'addCredit', method: 'POST', target: '/invoices/add_credit', body },
    { id: 'listInvoices', method: 'GET', target: '/invoices' },
    { id: 'readInvoice', method: 'GET', target: at },
    { id: 'readInvoicePdf', method: 'GET', target: `${at}/pdf` },
    { id: 'readInvoiceUbl', method: 'GET', target: `${at}/ubl` },
  ];
}

/** No request reaches anything there, and no event is of that type. */
const WEBHOOK = { webhook: { url: 'http://127.0.0.1:1/', event_types: ['balance.debt'] } };
const NO_WEBHOOK = 'whe_0000000000000000';

/** Those of an earlier list of calls make room for these. */
async function webhookCalls(client: Client): Promise<ReadyCall[]> {
  const { webhooks = [] } = (await client.get('/webhooks')).body.data;
  for (const { id } of webhooks) await client.delete(`/webhooks/${id}`);
  const create = async () => (await client.post('/webhooks', WEBHOOK)).body.data.webhook?.id ?? NO_WEBHOOK;
  const at = `/webhooks/${await create()}`;
  const event = (await client.post(`${at}/test`)).body.data.delivery?.event_id ?? 'msg_0';
  return [
    { id: 'listWebhooks', method: 'GET', target: '/webhooks' },
    { id: 'createWebhook', method: 'POST', target: '/webhooks', body: WEBHOOK },
    { id: 'readWebhook', method: 'GET', target: at },
    { id: 'updateWebhook', method: 'PUT', target: at, body: { webhook: { description: 'shop' } } },
    { id: 'deleteWebhook', method: 'DELETE', target: `/webhooks/${await create()}` },
    { id: 'rotateWebhookSecret', method: 'POST', target: `${at}/secret` },
    { id: 'testWebhook', method: 'POST', target: `${at}/test` },
    { id: 'listWebhookDeliveries', method: 'GET', target: `${at}/deliveries` },
    { id: 'readWebhookDelivery', method: 'GET', target: `${at}/deliveries/${event}` },
    { id: 'replayWebhookDelivery', method: 'POST', target: `${at}/deliveries/${event}/replay` },
    {
      id: 'replayWebhook',
      method: 'POST',
      target: `${at}/replay`,
      body: { replay: { since: '2026-01-01T00:00:00Z' } },
    },
  ];
}

async function contactCalls(client: Client): Promise<ReadyCall[]> {
  const [read, changed, deleted] = [
    await createContact(client),
    await createContact(client),
    await createContact(client),
  ];
  return [
    { id: 'listContacts', method: 'GET', target: '/contacts' },
    { id: 'createContact', method: 'POST', target: '/contacts', body: newContact({ id: freshCode() }) },
    { id: 'checkContact', method: 'GET', target: `/contacts/check/${read}` },
    { id: 'readContact', method: 'GET', target: `/contacts/${read}` },
    {
      id: 'updateContact',
      method: 'PUT',
      target: `/contacts/${changed}`,
      body: { contact: { phone: '+372.1' } },
    },
    { id: 'deleteContact', method: 'DELETE', target: `/contacts/${deleted}` },
  ];
}

async function domainCalls(client: Client): Promise<ReadyCall[]> {
  const { code, ...registrant } = await withDomain(client);
  const { name, expiry } = registrant;
  const at = `/domains/${name}`;
  const contact = { contacts: [{ code, type: 'tech' }] };
  return [
    { id: 'listDomains', method: 'GET', target: '/domains' },
    { id: 'createDomain', method: 'POST', target: '/domains', body: newDomain(code, { name: freshName() }) },
    { id: 'checkDomain', method: 'GET', target: `/domains/check/${name}` },
    { id: 'checkDomains', method: 'POST', target: '/domains/check', body: { domains: [name] } },
    { id: 'readDomain', method: 'GET', target: at },
    { id: 'updateDomain', method: 'PUT', target: at, body: { domain: { transfer_code: 'another-code' } } },
    { id: 'listDomainHistory', method: 'GET', target: `${at}/history` },
    { id: 'listDomainContacts', method: 'GET', target: `${at}/contacts` },
    { id: 'addDomainContacts', method: 'POST', target: `${at}/contacts`, body: contact },
    { id: 'removeDomainContacts', method: 'DELETE', target: `${at}/contacts`, body: contact },
    { id: 'listNameservers', method: 'GET', target: `${at}/nameservers` },
    {
      id: 'addNameservers',
      method: 'POST',
      target: `${at}/nameservers`,
      body: { nameservers: hosts('ns9.example.net') },
    },
    { id: 'removeNameserver', method: 'DELETE', target: `${at}/nameservers/ns1.example.net` },
    { id: 'removeNameservers', method: 'DELETE', target: `${at}/nameservers` },
    { id: 'listKeys', method: 'GET', target: `${at}/dnssec` },
    { id: 'addKeys', method: 'POST', target: `${at}/dnssec`, body: { dns_keys: [OTHER_KEY] } },
    { id: 'removeKeys', method: 'DELETE', target: `${at}/dnssec`, body: { dns_keys: [KEY] } },
    { id: 'setStatus', method: 'PUT', target: `${at}/statuses/clientHold` },
    { id: 'removeStatus', method: 'DELETE', target: `${at}/statuses/clientHold` },
    {
      id: 'renewDomain',
      method: 'POST',
      target: `${at}/renew`,
      body: { renews: { period: 1, period_unit: 'y', exp_date: expiry } },
    },
    {
      id: 'renewDomains',
      method: 'POST',
      target: '/domains/renew/bulk',
      body: { domains: [name], renew_period: '1y' },
    },
    { id: 'deleteDomain', method: 'DELETE', target: at, body: { domain: { delete: { verified: true } } } },
  ];
}

/** What another registrar has is there to be taken. */
async function transferCalls(client: Client): Promise<ReadyCall[]> {
  const own = await Registrant.of(client);
  const other = await Registrant.of(beta(client.url));
  const code = { transfer_code: 'known-to-both' };
  const [one, many] = [await other.register(code), await other.register(code)];
  return [
    { id: 'readTransferInfo', method: 'GET', target: `/domains/${await own.register()}/transfer_info` },
    { id: 'transferDomain', method: 'POST', target: `/domains/${one}/transfer`, body: { transfer: code } },
    {
      id: 'transferDomains',
      method: 'POST',
      target: '/domains/transfer',
      body: { data: { domain_transfers: [{ domain_name: many, ...code }] } },
    },
  ];
}

async function replacementCalls(client: Client): Promise<ReadyCall[]> {
  const [current, next] = [await createContact(client), await createContact(client)];
  const host = `ns.${freshCode()}.example`;
  await (await Registrant.of(client)).register({
    tech_contacts: [current],
    nameservers_attributes: hosts(host, 'ns2.example.net'),
  });
  return [
    {
      id: 'replaceTechContact',
      method: 'PATCH',
      target: '/domains/contacts',
      body: { current_contact_id: current, new_contact_id: next },
    },
    {
      id: 'replaceNameserver',
      method: 'PUT',
      target: '/registrar/nameservers',
      body: { data: { type: 'nameserver', id: host, attributes: { hostname: `new.${host}` } } },
    },
  ];
}

function messageCalls(): ReadyCall[] {
  const one = `/registrar/notifications/${NO_MESSAGE}`;
  return [
    { id: 'listNotifications', method: 'GET', target: '/registrar/notifications/all_notifications' },
    { id: 'readLatestNotification', method: 'GET', target: '/registrar/notifications' },
    { id: 'readNotification', method: 'GET', target: one },
    { id: 'acknowledgeNotification', method: 'PUT', target: one, body: { notification: { read: true } } },
    {
      id: 'acknowledgeNotifications',
      method: 'PUT',
      target: '/registrar/notifications',
      body: { notifications: { ids: [Number(NO_MESSAGE)], read: true } },
    },
  ];
}

async function withDomain(client: Client): Promise<{ code: string; name: string; expiry: string }> {
  const registrant = await Registrant.of(client);
  const nameservers = hosts('ns1.example.net', 'ns2.example.net', 'ns3.example.net');
  const name = await registrant.register({ nameservers_attributes: nameservers, dnskeys_attributes: [KEY] });
  const { expire_time: expiry } = (await client.get(`/domains/${name}`)).body.data.domain;
  return { code: registrant.code, name, expiry: expiry.slice(0, 10) };
}

export function make(
  client: Client,
  { method, target, body }: ReadyCall,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return client.call(method, target, { body, headers });
}
