// Generated from the OpenAPI document of the registrar API by npm run sdk:generate. Do not edit.

import { segment } from '../path.ts';
import type { Call, CallOptions, ChangeOptions, Changed, List, Sender } from '../support-types.ts';
import type * as api from './types.ts';

export class Billing {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The balance, and with detailed=true the transactions, newest first. GET /registry/v1/accounts/balance */
  balance<Detailed extends boolean = false>(
    query: api.ReadBalanceQuery<Detailed> = {},
    options: CallOptions = {},
  ): Call<api.ReadBalanceData<Detailed>, api.ReadBalanceRefusal> {
    return this.#sender.call({ method: 'GET', path: '/registry/v1/accounts/balance', query, options });
  }

  /** Issues an invoice by which the account is topped up; VAT is added to the amount. POST /registry/v1/invoices/add_credit */
  addCredit<Dry extends boolean = false>(
    invoice: api.AddCreditInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.AddCreditData, Dry>, api.AddCreditRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/invoices/add_credit',
      body: { invoice: invoice },
      options,
    });
  }

  /** The registrar's invoices, newest first. GET /registry/v1/invoices */
  invoices(
    query: api.ListInvoicesQuery = {},
    options: CallOptions = {},
  ): List<api.ListInvoicesData['invoices'][number]> {
    return this.#sender.list('invoices', { method: 'GET', path: '/registry/v1/invoices', query, options });
  }

  /** One invoice, with the link to pay it as long as it can be paid. GET /registry/v1/invoices/{invoice_number} */
  invoice(
    invoiceNumber: number | string,
    options: CallOptions = {},
  ): Call<api.ReadInvoiceData, api.ReadInvoiceRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/invoices/${segment(invoiceNumber)}`,
      options,
    });
  }

  /** The invoice as a document to print. GET /registry/v1/invoices/{invoice_number}/pdf */
  invoicePdf(
    invoiceNumber: number | string,
    options: CallOptions = {},
  ): Call<api.ReadInvoicePdfData, api.ReadInvoicePdfRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/invoices/${segment(invoiceNumber)}/pdf`,
      isDocument: true,
      options,
    });
  }

  /** The invoice by the European standard EN 16931, in UBL 2.1. GET /registry/v1/invoices/{invoice_number}/ubl */
  invoiceUbl(
    invoiceNumber: number | string,
    options: CallOptions = {},
  ): Call<api.ReadInvoiceUblData, api.ReadInvoiceUblRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/invoices/${segment(invoiceNumber)}/ubl`,
      isDocument: true,
      options,
    });
  }

  /** What registration and renewal cost today, and announced prices. GET /registry/v1/prices */
  prices(options: CallOptions = {}): Call<api.ListPricesData, api.ListPricesRefusal> {
    return this.#sender.call({ method: 'GET', path: '/registry/v1/prices', options });
  }
}

export class Messages {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** All unread messages, newest first unless sorted otherwise. GET /registry/v1/registrar/notifications/all_notifications */
  list(
    query: api.ListNotificationsQuery = {},
    options: CallOptions = {},
  ): List<api.ListNotificationsData[number]> {
    return this.#sender.list('', {
      method: 'GET',
      path: '/registry/v1/registrar/notifications/all_notifications',
      query,
      options,
    });
  }

  /** The newest unread message; an empty object when there is none. GET /registry/v1/registrar/notifications */
  latest(options: CallOptions = {}): Call<api.ReadLatestNotificationData, api.ReadLatestNotificationRefusal> {
    return this.#sender.call({ method: 'GET', path: '/registry/v1/registrar/notifications', options });
  }

  /** Mark many messages as read. PUT /registry/v1/registrar/notifications */
  acknowledgeMany<Dry extends boolean = false>(
    notifications: api.AcknowledgeNotificationsInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.AcknowledgeNotificationsData, Dry>, api.AcknowledgeNotificationsRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: '/registry/v1/registrar/notifications',
      body: { notifications: notifications },
      options,
    });
  }

  /** One message, read or not. GET /registry/v1/registrar/notifications/{notification_id} */
  read(
    notificationId: number | string,
    options: CallOptions = {},
  ): Call<api.Notification, api.ReadNotificationRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/registrar/notifications/${segment(notificationId)}`,
      options,
    });
  }

  /** Mark a message as read. PUT /registry/v1/registrar/notifications/{notification_id} */
  acknowledge<Dry extends boolean = false>(
    notificationId: number | string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.AcknowledgeNotificationData, Dry>, api.AcknowledgeNotificationRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: `/registry/v1/registrar/notifications/${segment(notificationId)}`,
      body: { notification: { read: true } },
      options,
    });
  }
}

export class Events {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** What happened, oldest first, for 30 days: the events of webhooks, also without one. GET /registry/v1/events */
  read(
    query: api.ReadEventsQuery = {},
    options: CallOptions = {},
  ): Call<api.ReadEventsData, api.ReadEventsRefusal> {
    return this.#sender.call({ method: 'GET', path: '/registry/v1/events', query, options });
  }
}

export class Contacts {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The registrar's contacts. GET /registry/v1/contacts */
  list<Details extends boolean = false>(
    query: api.ListContactsQuery<Details> = {},
    options: CallOptions = {},
  ): List<api.ListContactsData<Details>['contacts'][number]> {
    return this.#sender.list('contacts', { method: 'GET', path: '/registry/v1/contacts', query, options });
  }

  /** Create a contact. POST /registry/v1/contacts */
  create<Dry extends boolean = false>(
    contact: api.NewContact,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.CreateContactData, Dry>, api.CreateContactRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/contacts',
      body: { contact: contact },
      options,
    });
  }

  /** Whether a code can be used for a new contact. GET /registry/v1/contacts/check/{contact_id} */
  check(contactId: string, options: CallOptions = {}): Call<api.CheckContactData, api.CheckContactRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/contacts/check/${segment(contactId)}`,
      options,
    });
  }

  /** One contact. GET /registry/v1/contacts/{contact_id} */
  read<Simple extends boolean = false>(
    contactId: string,
    query: api.ReadContactQuery<Simple> = {},
    options: CallOptions = {},
  ): Call<api.ReadContactData<Simple>, api.ReadContactRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/contacts/${segment(contactId)}`,
      query,
      options,
    });
  }

  /** Change name, e-mail address, phone number, reference or what is disclosed. PUT /registry/v1/contacts/{contact_id} */
  update<Dry extends boolean = false>(
    contactId: string,
    contact: api.ContactChange,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.UpdateContactData, Dry>, api.UpdateContactRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: `/registry/v1/contacts/${segment(contactId)}`,
      body: { contact: contact },
      options,
    });
  }

  /** Delete a contact that no domain uses. DELETE /registry/v1/contacts/{contact_id} */
  delete<Dry extends boolean = false>(
    contactId: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.DeleteContactData, Dry>, api.DeleteContactRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/contacts/${segment(contactId)}`,
      options,
    });
  }
}

export class Domains {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The registrar's domains. GET /registry/v1/domains */
  list<Details extends boolean = false>(
    query: api.ListDomainsQuery<Details> = {},
    options: CallOptions = {},
  ): List<api.ListDomainsData<Details>['domains'][number]> {
    return this.#sender.list('domains', { method: 'GET', path: '/registry/v1/domains', query, options });
  }

  /** Register a domain. POST /registry/v1/domains */
  create<Dry extends boolean = false>(
    domain: api.NewDomain,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.CreateDomainData, Dry>, api.CreateDomainRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/domains',
      body: { domain: domain },
      options,
    });
  }

  /** Whether a name can be registered, and if not, why. GET /registry/v1/domains/check/{domain_name} */
  check(domainName: string, options: CallOptions = {}): Call<api.CheckDomainData, api.CheckDomainRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/domains/check/${segment(domainName)}`,
      options,
    });
  }

  /** One domain of any registrar. GET /registry/v1/domains/{domain_name} */
  read(domainName: string, options: CallOptions = {}): Call<api.ReadDomainData, api.ReadDomainRefusal> {
    return this.#sender.call({ method: 'GET', path: `/registry/v1/domains/${segment(domainName)}`, options });
  }

  /** Change the registrant, the transfer code or the reference. PUT /registry/v1/domains/{domain_name} */
  update<Dry extends boolean = false>(
    domainName: string,
    domain: api.DomainChange,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.UpdateDomainData, Dry>, api.UpdateDomainRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: `/registry/v1/domains/${segment(domainName)}`,
      body: { domain: domain },
      options,
    });
  }

  /** Delete a domain; it can be brought back by renewal for 30 days. DELETE /registry/v1/domains/{domain_name} */
  delete<Dry extends boolean = false>(
    domainName: string,
    input: api.DeleteDomainInput,
    options: ChangeOptions<Dry> & {
      /** the domain's transfer code */ readonly authCode?: string | undefined;
    } = {},
  ): Call<Changed<api.DeleteDomainData, Dry>, api.DeleteDomainRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/domains/${segment(domainName)}`,
      body: { domain: { delete: input } },
      headers: { 'Auth-Code': options.authCode },
      options,
    });
  }

  /** What happened to a domain while it was yours, newest first. GET /registry/v1/domains/{domain_name}/history */
  history(
    domainName: string,
    query: api.ListDomainHistoryQuery = {},
    options: CallOptions = {},
  ): List<api.ListDomainHistoryData['history'][number]> {
    return this.#sender.list('history', {
      method: 'GET',
      path: `/registry/v1/domains/${segment(domainName)}/history`,
      query,
      options,
    });
  }

  /** Whether names can be registered, and what they cost; up to 100. POST /registry/v1/domains/check */
  checkMany(
    domains: api.CheckDomainsInput,
    options: CallOptions = {},
  ): Call<api.CheckDomainsData, api.CheckDomainsRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/domains/check',
      body: { domains: domains },
      options,
    });
  }

  /** The admin and tech contacts of a domain. GET /registry/v1/domains/{domain_name}/contacts */
  contacts(
    domainName: string,
    options: CallOptions = {},
  ): Call<api.ListDomainContactsData, api.ListDomainContactsRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/domains/${segment(domainName)}/contacts`,
      options,
    });
  }

  /** Add admin and tech contacts. POST /registry/v1/domains/{domain_name}/contacts */
  addContacts<Dry extends boolean = false>(
    domainName: string,
    contacts: api.AddDomainContactsInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.AddDomainContactsData, Dry>, api.AddDomainContactsRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/domains/${segment(domainName)}/contacts`,
      body: { contacts: contacts },
      options,
    });
  }

  /** Remove admin and tech contacts. DELETE /registry/v1/domains/{domain_name}/contacts */
  removeContacts<Dry extends boolean = false>(
    domainName: string,
    contacts: api.RemoveDomainContactsInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RemoveDomainContactsData, Dry>, api.RemoveDomainContactsRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/domains/${segment(domainName)}/contacts`,
      body: { contacts: contacts },
      options,
    });
  }

  /** Renew a domain; exp_date guards against renewing twice. POST /registry/v1/domains/{domain_name}/renew */
  renew<Dry extends boolean = false>(
    domainName: string,
    renews: api.Renewal,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RenewDomainData, Dry>, api.RenewDomainRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/domains/${segment(domainName)}/renew`,
      body: { renews: renews },
      options,
    });
  }
}

export class Nameservers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The nameservers of a domain. GET /registry/v1/domains/{domain_name}/nameservers */
  list(
    domainName: string,
    options: CallOptions = {},
  ): Call<api.ListNameserversData, api.ListNameserversRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/domains/${segment(domainName)}/nameservers`,
      options,
    });
  }

  /** Add nameservers; a domain has none, or 2 to 11. POST /registry/v1/domains/{domain_name}/nameservers */
  add<Dry extends boolean = false>(
    domainName: string,
    nameservers: api.AddNameserversInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.AddNameserversData, Dry>, api.AddNameserversRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/domains/${segment(domainName)}/nameservers`,
      body: { nameservers: nameservers },
      options,
    });
  }

  /** Remove all nameservers; the domain becomes inactive. DELETE /registry/v1/domains/{domain_name}/nameservers */
  removeAll<Dry extends boolean = false>(
    domainName: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RemoveNameserversData, Dry>, api.RemoveNameserversRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/domains/${segment(domainName)}/nameservers`,
      options,
    });
  }

  /** Remove one nameserver. DELETE /registry/v1/domains/{domain_name}/nameservers/{nameserver_hostname} */
  remove<Dry extends boolean = false>(
    domainName: string,
    nameserverHostname: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RemoveNameserverData, Dry>, api.RemoveNameserverRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/domains/${segment(domainName)}/nameservers/${segment(nameserverHostname)}`,
      options,
    });
  }
}

export class Dnssec {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The DNSSEC keys of a domain. GET /registry/v1/domains/{domain_name}/dnssec */
  list(domainName: string, options: CallOptions = {}): Call<api.ListKeysData, api.ListKeysRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/domains/${segment(domainName)}/dnssec`,
      options,
    });
  }

  /** Add DNSSEC keys, 9 at the most. POST /registry/v1/domains/{domain_name}/dnssec */
  add<Dry extends boolean = false>(
    domainName: string,
    dnsKeys: api.AddKeysInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.AddKeysData, Dry>, api.AddKeysRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/domains/${segment(domainName)}/dnssec`,
      body: { dns_keys: dnsKeys },
      options,
    });
  }

  /** Remove DNSSEC keys, each named by all four of its fields. DELETE /registry/v1/domains/{domain_name}/dnssec */
  remove<Dry extends boolean = false>(
    domainName: string,
    dnsKeys: api.RemoveKeysInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RemoveKeysData, Dry>, api.RemoveKeysRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/domains/${segment(domainName)}/dnssec`,
      body: { dns_keys: dnsKeys },
      options,
    });
  }
}

export class Statuses {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Set clientHold: the domain leaves the zone. PUT /registry/v1/domains/{domain_name}/statuses/{status} */
  set<Dry extends boolean = false>(
    domainName: string,
    status: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.SetStatusData, Dry>, api.SetStatusRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: `/registry/v1/domains/${segment(domainName)}/statuses/${segment(status)}`,
      options,
    });
  }

  /** Remove clientHold; every other status stays. DELETE /registry/v1/domains/{domain_name}/statuses/{status} */
  remove<Dry extends boolean = false>(
    domainName: string,
    status: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RemoveStatusData, Dry>, api.RemoveStatusRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/domains/${segment(domainName)}/statuses/${segment(status)}`,
      options,
    });
  }
}

export class Transfers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The people behind a domain, for its sponsor and for anyone who has its code. GET /registry/v1/domains/{domain_name}/transfer_info */
  info(
    domainName: string,
    options: CallOptions & {
      /** the domain's transfer code; its sponsor needs none */ readonly authCode?: string | undefined;
    } = {},
  ): Call<api.ReadTransferInfoData, api.ReadTransferInfoRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/domains/${segment(domainName)}/transfer_info`,
      headers: { 'Auth-Code': options.authCode },
      options,
    });
  }

  /** Take a domain over with its transfer code; its contacts are copied, its expiry stays. POST /registry/v1/domains/{domain_name}/transfer */
  transfer<Dry extends boolean = false>(
    domainName: string,
    transfer: api.TransferDomainInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.TransferDomainData, Dry>, api.TransferDomainRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/domains/${segment(domainName)}/transfer`,
      body: { transfer: transfer },
      options,
    });
  }
}

export class Bulk {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Take many domains over, each by itself. POST /registry/v1/domains/transfer */
  transfer<Dry extends boolean = false>(
    domainTransfers: api.TransferDomainsInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.TransferDomainsData, Dry>, api.TransferDomainsRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/domains/transfer',
      body: { data: { domain_transfers: domainTransfers } },
      isBulk: true,
      options,
    });
  }

  /** Replace a tech contact on every domain that has it. PATCH /registry/v1/domains/contacts */
  replaceTechContact<Dry extends boolean = false>(
    input: api.ReplaceTechContactInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.ReplaceTechContactData, Dry>, api.ReplaceTechContactRefusal> {
    return this.#sender.call({
      method: 'PATCH',
      path: '/registry/v1/domains/contacts',
      body: input,
      isBulk: true,
      options,
    });
  }

  /** Replace a nameserver on every domain that has it, or on those that are listed. PUT /registry/v1/registrar/nameservers */
  replaceNameserver<Dry extends boolean = false>(
    input: api.ReplaceNameserverInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.ReplaceNameserverData, Dry>, api.ReplaceNameserverRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: '/registry/v1/registrar/nameservers',
      body: { data: input },
      isBulk: true,
      options,
    });
  }

  /** Renew many domains, all or none. POST /registry/v1/domains/renew/bulk */
  renew<Dry extends boolean = false>(
    input: api.RenewDomainsInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RenewDomainsData, Dry>, api.RenewDomainsRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/domains/renew/bulk',
      body: input,
      isBulk: true,
      options,
    });
  }
}

export class Webhooks {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The registrar's webhook endpoints. GET /registry/v1/webhooks */
  list(options: CallOptions = {}): Call<api.ListWebhooksData, api.ListWebhooksRefusal> {
    return this.#sender.call({ method: 'GET', path: '/registry/v1/webhooks', options });
  }

  /** Create an endpoint, one of at most 10; only this answer and that of a rotation have the secret. POST /registry/v1/webhooks */
  create<Dry extends boolean = false>(
    webhook: api.NewWebhook,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.CreateWebhookData, Dry>, api.CreateWebhookRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: '/registry/v1/webhooks',
      body: { webhook: webhook },
      options,
    });
  }

  /** One endpoint. GET /registry/v1/webhooks/{webhook_id} */
  read(webhookId: string, options: CallOptions = {}): Call<api.ReadWebhookData, api.ReadWebhookRefusal> {
    return this.#sender.call({ method: 'GET', path: `/registry/v1/webhooks/${segment(webhookId)}`, options });
  }

  /** Change, disable or enable an endpoint; events of the time in which it was disabled are not sent. PUT /registry/v1/webhooks/{webhook_id} */
  update<Dry extends boolean = false>(
    webhookId: string,
    webhook: api.WebhookChange,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.UpdateWebhookData, Dry>, api.UpdateWebhookRefusal> {
    return this.#sender.call({
      method: 'PUT',
      path: `/registry/v1/webhooks/${segment(webhookId)}`,
      body: { webhook: webhook },
      options,
    });
  }

  /** Delete an endpoint with all that waits for it. DELETE /registry/v1/webhooks/{webhook_id} */
  delete<Dry extends boolean = false>(
    webhookId: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.DeleteWebhookData, Dry>, api.DeleteWebhookRefusal> {
    return this.#sender.call({
      method: 'DELETE',
      path: `/registry/v1/webhooks/${segment(webhookId)}`,
      options,
    });
  }

  /** Make a new secret; the one before it signs too for 24 hours. POST /registry/v1/webhooks/{webhook_id}/secret */
  rotateSecret<Dry extends boolean = false>(
    webhookId: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.RotateWebhookSecretData, Dry>, api.RotateWebhookSecretRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/webhooks/${segment(webhookId)}/secret`,
      options,
    });
  }

  /** Have an event webhook.test sent to the endpoint. POST /registry/v1/webhooks/{webhook_id}/test */
  test<Dry extends boolean = false>(
    webhookId: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.TestWebhookData, Dry>, api.TestWebhookRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/webhooks/${segment(webhookId)}/test`,
      options,
    });
  }

  /** What was sent to an endpoint and what waits, of the last 30 days, newest first. GET /registry/v1/webhooks/{webhook_id}/deliveries */
  deliveries(
    webhookId: string,
    query: api.ListWebhookDeliveriesQuery = {},
    options: CallOptions = {},
  ): List<api.ListWebhookDeliveriesData['deliveries'][number]> {
    return this.#sender.list('deliveries', {
      method: 'GET',
      path: `/registry/v1/webhooks/${segment(webhookId)}/deliveries`,
      query,
      options,
    });
  }

  /** One delivery, with the content of its event. GET /registry/v1/webhooks/{webhook_id}/deliveries/{event_id} */
  delivery(
    webhookId: string,
    eventId: string,
    options: CallOptions = {},
  ): Call<api.ReadWebhookDeliveryData, api.ReadWebhookDeliveryRefusal> {
    return this.#sender.call({
      method: 'GET',
      path: `/registry/v1/webhooks/${segment(webhookId)}/deliveries/${segment(eventId)}`,
      options,
    });
  }

  /** Have one event sent again, under its id; also one that was delivered. POST /registry/v1/webhooks/{webhook_id}/deliveries/{event_id}/replay */
  replay<Dry extends boolean = false>(
    webhookId: string,
    eventId: string,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.ReplayWebhookDeliveryData, Dry>, api.ReplayWebhookDeliveryRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/webhooks/${segment(webhookId)}/deliveries/${segment(eventId)}/replay`,
      options,
    });
  }

  /** Have all failed events since a time sent again, at most 10,000 per call, the oldest first. POST /registry/v1/webhooks/{webhook_id}/replay */
  replayFailed<Dry extends boolean = false>(
    webhookId: string,
    replay: api.ReplayWebhookInput,
    options: ChangeOptions<Dry> = {},
  ): Call<Changed<api.ReplayWebhookData, Dry>, api.ReplayWebhookRefusal> {
    return this.#sender.call({
      method: 'POST',
      path: `/registry/v1/webhooks/${segment(webhookId)}/replay`,
      body: { replay: replay },
      options,
    });
  }
}

/** Every group of calls. */
export class Groups {
  readonly billing: Billing;
  readonly messages: Messages;
  readonly events: Events;
  readonly contacts: Contacts;
  readonly domains: Domains;
  readonly nameservers: Nameservers;
  readonly dnssec: Dnssec;
  readonly statuses: Statuses;
  readonly transfers: Transfers;
  readonly bulk: Bulk;
  readonly webhooks: Webhooks;

  constructor(sender: Sender) {
    this.billing = new Billing(sender);
    this.messages = new Messages(sender);
    this.events = new Events(sender);
    this.contacts = new Contacts(sender);
    this.domains = new Domains(sender);
    this.nameservers = new Nameservers(sender);
    this.dnssec = new Dnssec(sender);
    this.statuses = new Statuses(sender);
    this.transfers = new Transfers(sender);
    this.bulk = new Bulk(sender);
    this.webhooks = new Webhooks(sender);
  }
}
