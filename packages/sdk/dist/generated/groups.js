// Generated from the OpenAPI document of the registrar API by npm run sdk:generate. Do not edit.
import { segment } from '../path.js';
export class Billing {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The balance, and with detailed=true the transactions, newest first. GET /registry/v1/accounts/balance */
    balance(query = {}, options = {}) {
        return this.#sender.call({ method: 'GET', path: '/registry/v1/accounts/balance', query, options });
    }
    /** Issues an invoice by which the account is topped up; VAT is added to the amount. POST /registry/v1/invoices/add_credit */
    addCredit(invoice, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: '/registry/v1/invoices/add_credit',
            body: { invoice: invoice },
            options,
        });
    }
    /** The registrar's invoices, newest first. GET /registry/v1/invoices */
    invoices(query = {}, options = {}) {
        return this.#sender.list('invoices', { method: 'GET', path: '/registry/v1/invoices', query, options });
    }
    /** One invoice, with the link to pay it as long as it can be paid. GET /registry/v1/invoices/{invoice_number} */
    invoice(invoiceNumber, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/invoices/${segment(invoiceNumber)}`,
            options,
        });
    }
    /** The invoice as a document to print. GET /registry/v1/invoices/{invoice_number}/pdf */
    invoicePdf(invoiceNumber, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/invoices/${segment(invoiceNumber)}/pdf`,
            isDocument: true,
            options,
        });
    }
    /** The invoice by the European standard EN 16931, in UBL 2.1. GET /registry/v1/invoices/{invoice_number}/ubl */
    invoiceUbl(invoiceNumber, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/invoices/${segment(invoiceNumber)}/ubl`,
            isDocument: true,
            options,
        });
    }
    /** What registration and renewal cost today, and announced prices. GET /registry/v1/prices */
    prices(options = {}) {
        return this.#sender.call({ method: 'GET', path: '/registry/v1/prices', options });
    }
}
export class Messages {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** All unread messages, newest first unless sorted otherwise. GET /registry/v1/registrar/notifications/all_notifications */
    list(query = {}, options = {}) {
        return this.#sender.list('', {
            method: 'GET',
            path: '/registry/v1/registrar/notifications/all_notifications',
            query,
            options,
        });
    }
    /** The newest unread message; an empty object when there is none. GET /registry/v1/registrar/notifications */
    latest(options = {}) {
        return this.#sender.call({ method: 'GET', path: '/registry/v1/registrar/notifications', options });
    }
    /** Mark many messages as read. PUT /registry/v1/registrar/notifications */
    acknowledgeMany(notifications, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: '/registry/v1/registrar/notifications',
            body: { notifications: notifications },
            options,
        });
    }
    /** One message, read or not. GET /registry/v1/registrar/notifications/{notification_id} */
    read(notificationId, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/registrar/notifications/${segment(notificationId)}`,
            options,
        });
    }
    /** Mark a message as read. PUT /registry/v1/registrar/notifications/{notification_id} */
    acknowledge(notificationId, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: `/registry/v1/registrar/notifications/${segment(notificationId)}`,
            body: { notification: { read: true } },
            options,
        });
    }
}
export class Events {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** What happened, oldest first, for 30 days: the events of webhooks, also without one. GET /registry/v1/events */
    read(query = {}, options = {}) {
        return this.#sender.call({ method: 'GET', path: '/registry/v1/events', query, options });
    }
}
export class Contacts {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The registrar's contacts. GET /registry/v1/contacts */
    list(query = {}, options = {}) {
        return this.#sender.list('contacts', { method: 'GET', path: '/registry/v1/contacts', query, options });
    }
    /** Create a contact. POST /registry/v1/contacts */
    create(contact, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: '/registry/v1/contacts',
            body: { contact: contact },
            options,
        });
    }
    /** Whether a code can be used for a new contact. GET /registry/v1/contacts/check/{contact_id} */
    check(contactId, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/contacts/check/${segment(contactId)}`,
            options,
        });
    }
    /** One contact. GET /registry/v1/contacts/{contact_id} */
    read(contactId, query = {}, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/contacts/${segment(contactId)}`,
            query,
            options,
        });
    }
    /** Change name, e-mail address, phone number, reference or what is disclosed. PUT /registry/v1/contacts/{contact_id} */
    update(contactId, contact, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: `/registry/v1/contacts/${segment(contactId)}`,
            body: { contact: contact },
            options,
        });
    }
    /** Delete a contact that no domain uses. DELETE /registry/v1/contacts/{contact_id} */
    delete(contactId, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/contacts/${segment(contactId)}`,
            options,
        });
    }
}
export class Domains {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The registrar's domains. GET /registry/v1/domains */
    list(query = {}, options = {}) {
        return this.#sender.list('domains', { method: 'GET', path: '/registry/v1/domains', query, options });
    }
    /** Register a domain. POST /registry/v1/domains */
    create(domain, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: '/registry/v1/domains',
            body: { domain: domain },
            options,
        });
    }
    /** Whether a name can be registered, and if not, why. GET /registry/v1/domains/check/{domain_name} */
    check(domainName, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/domains/check/${segment(domainName)}`,
            options,
        });
    }
    /** One domain of any registrar. GET /registry/v1/domains/{domain_name} */
    read(domainName, options = {}) {
        return this.#sender.call({ method: 'GET', path: `/registry/v1/domains/${segment(domainName)}`, options });
    }
    /** Change the registrant, the transfer code or the reference. PUT /registry/v1/domains/{domain_name} */
    update(domainName, domain, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: `/registry/v1/domains/${segment(domainName)}`,
            body: { domain: domain },
            options,
        });
    }
    /** Delete a domain; it can be brought back by renewal for 30 days. DELETE /registry/v1/domains/{domain_name} */
    delete(domainName, input, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/domains/${segment(domainName)}`,
            body: { domain: { delete: input } },
            headers: { 'Auth-Code': options.authCode },
            options,
        });
    }
    /** What happened to a domain while it was yours, newest first. GET /registry/v1/domains/{domain_name}/history */
    history(domainName, query = {}, options = {}) {
        return this.#sender.list('history', {
            method: 'GET',
            path: `/registry/v1/domains/${segment(domainName)}/history`,
            query,
            options,
        });
    }
    /** Whether names can be registered, and what they cost; up to 100. POST /registry/v1/domains/check */
    checkMany(domains, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: '/registry/v1/domains/check',
            body: { domains: domains },
            options,
        });
    }
    /** The admin and tech contacts of a domain. GET /registry/v1/domains/{domain_name}/contacts */
    contacts(domainName, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/domains/${segment(domainName)}/contacts`,
            options,
        });
    }
    /** Add admin and tech contacts. POST /registry/v1/domains/{domain_name}/contacts */
    addContacts(domainName, contacts, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/domains/${segment(domainName)}/contacts`,
            body: { contacts: contacts },
            options,
        });
    }
    /** Remove admin and tech contacts. DELETE /registry/v1/domains/{domain_name}/contacts */
    removeContacts(domainName, contacts, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/domains/${segment(domainName)}/contacts`,
            body: { contacts: contacts },
            options,
        });
    }
    /** Renew a domain; exp_date guards against renewing twice. POST /registry/v1/domains/{domain_name}/renew */
    renew(domainName, renews, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/domains/${segment(domainName)}/renew`,
            body: { renews: renews },
            options,
        });
    }
}
export class Nameservers {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The nameservers of a domain. GET /registry/v1/domains/{domain_name}/nameservers */
    list(domainName, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/domains/${segment(domainName)}/nameservers`,
            options,
        });
    }
    /** Add nameservers; a domain has none, or 2 to 11. POST /registry/v1/domains/{domain_name}/nameservers */
    add(domainName, nameservers, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/domains/${segment(domainName)}/nameservers`,
            body: { nameservers: nameservers },
            options,
        });
    }
    /** Remove all nameservers; the domain becomes inactive. DELETE /registry/v1/domains/{domain_name}/nameservers */
    removeAll(domainName, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/domains/${segment(domainName)}/nameservers`,
            options,
        });
    }
    /** Remove one nameserver. DELETE /registry/v1/domains/{domain_name}/nameservers/{nameserver_hostname} */
    remove(domainName, nameserverHostname, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/domains/${segment(domainName)}/nameservers/${segment(nameserverHostname)}`,
            options,
        });
    }
}
export class Dnssec {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The DNSSEC keys of a domain. GET /registry/v1/domains/{domain_name}/dnssec */
    list(domainName, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/domains/${segment(domainName)}/dnssec`,
            options,
        });
    }
    /** Add DNSSEC keys, 9 at the most. POST /registry/v1/domains/{domain_name}/dnssec */
    add(domainName, dnsKeys, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/domains/${segment(domainName)}/dnssec`,
            body: { dns_keys: dnsKeys },
            options,
        });
    }
    /** Remove DNSSEC keys, each named by all four of its fields. DELETE /registry/v1/domains/{domain_name}/dnssec */
    remove(domainName, dnsKeys, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/domains/${segment(domainName)}/dnssec`,
            body: { dns_keys: dnsKeys },
            options,
        });
    }
}
export class Statuses {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** Set clientHold: the domain leaves the zone. PUT /registry/v1/domains/{domain_name}/statuses/{status} */
    set(domainName, status, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: `/registry/v1/domains/${segment(domainName)}/statuses/${segment(status)}`,
            options,
        });
    }
    /** Remove clientHold; every other status stays. DELETE /registry/v1/domains/{domain_name}/statuses/{status} */
    remove(domainName, status, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/domains/${segment(domainName)}/statuses/${segment(status)}`,
            options,
        });
    }
}
export class Transfers {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The people behind a domain, for its sponsor and for anyone who has its code. GET /registry/v1/domains/{domain_name}/transfer_info */
    info(domainName, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/domains/${segment(domainName)}/transfer_info`,
            headers: { 'Auth-Code': options.authCode },
            options,
        });
    }
    /** Take a domain over with its transfer code; its contacts are copied, its expiry stays. POST /registry/v1/domains/{domain_name}/transfer */
    transfer(domainName, transfer, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/domains/${segment(domainName)}/transfer`,
            body: { transfer: transfer },
            options,
        });
    }
}
export class Bulk {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** Take many domains over, each by itself. POST /registry/v1/domains/transfer */
    transfer(domainTransfers, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: '/registry/v1/domains/transfer',
            body: { data: { domain_transfers: domainTransfers } },
            isBulk: true,
            options,
        });
    }
    /** Replace a tech contact on every domain that has it. PATCH /registry/v1/domains/contacts */
    replaceTechContact(input, options = {}) {
        return this.#sender.call({
            method: 'PATCH',
            path: '/registry/v1/domains/contacts',
            body: input,
            isBulk: true,
            options,
        });
    }
    /** Replace a nameserver on every domain that has it, or on those that are listed. PUT /registry/v1/registrar/nameservers */
    replaceNameserver(input, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: '/registry/v1/registrar/nameservers',
            body: { data: input },
            isBulk: true,
            options,
        });
    }
    /** Renew many domains, all or none. POST /registry/v1/domains/renew/bulk */
    renew(input, options = {}) {
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
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /** The registrar's webhook endpoints. GET /registry/v1/webhooks */
    list(options = {}) {
        return this.#sender.call({ method: 'GET', path: '/registry/v1/webhooks', options });
    }
    /** Create an endpoint, one of at most 10; only this answer and that of a rotation have the secret. POST /registry/v1/webhooks */
    create(webhook, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: '/registry/v1/webhooks',
            body: { webhook: webhook },
            options,
        });
    }
    /** One endpoint. GET /registry/v1/webhooks/{webhook_id} */
    read(webhookId, options = {}) {
        return this.#sender.call({ method: 'GET', path: `/registry/v1/webhooks/${segment(webhookId)}`, options });
    }
    /** Change, disable or enable an endpoint; events of the time in which it was disabled are not sent. PUT /registry/v1/webhooks/{webhook_id} */
    update(webhookId, webhook, options = {}) {
        return this.#sender.call({
            method: 'PUT',
            path: `/registry/v1/webhooks/${segment(webhookId)}`,
            body: { webhook: webhook },
            options,
        });
    }
    /** Delete an endpoint with all that waits for it. DELETE /registry/v1/webhooks/{webhook_id} */
    delete(webhookId, options = {}) {
        return this.#sender.call({
            method: 'DELETE',
            path: `/registry/v1/webhooks/${segment(webhookId)}`,
            options,
        });
    }
    /** Make a new secret; the one before it signs too for 24 hours. POST /registry/v1/webhooks/{webhook_id}/secret */
    rotateSecret(webhookId, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/webhooks/${segment(webhookId)}/secret`,
            options,
        });
    }
    /** Have an event webhook.test sent to the endpoint. POST /registry/v1/webhooks/{webhook_id}/test */
    test(webhookId, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/webhooks/${segment(webhookId)}/test`,
            options,
        });
    }
    /** What was sent to an endpoint and what waits, of the last 30 days, newest first. GET /registry/v1/webhooks/{webhook_id}/deliveries */
    deliveries(webhookId, query = {}, options = {}) {
        return this.#sender.list('deliveries', {
            method: 'GET',
            path: `/registry/v1/webhooks/${segment(webhookId)}/deliveries`,
            query,
            options,
        });
    }
    /** One delivery, with the content of its event. GET /registry/v1/webhooks/{webhook_id}/deliveries/{event_id} */
    delivery(webhookId, eventId, options = {}) {
        return this.#sender.call({
            method: 'GET',
            path: `/registry/v1/webhooks/${segment(webhookId)}/deliveries/${segment(eventId)}`,
            options,
        });
    }
    /** Have one event sent again, under its id; also one that was delivered. POST /registry/v1/webhooks/{webhook_id}/deliveries/{event_id}/replay */
    replay(webhookId, eventId, options = {}) {
        return this.#sender.call({
            method: 'POST',
            path: `/registry/v1/webhooks/${segment(webhookId)}/deliveries/${segment(eventId)}/replay`,
            options,
        });
    }
    /** Have all failed events since a time sent again, at most 10,000 per call, the oldest first. POST /registry/v1/webhooks/{webhook_id}/replay */
    replayFailed(webhookId, replay, options = {}) {
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
    billing;
    messages;
    events;
    contacts;
    domains;
    nameservers;
    dnssec;
    statuses;
    transfers;
    bulk;
    webhooks;
    constructor(sender) {
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
