import type { OrderedTopUp } from '../../billing/invoices/order-top-up.ts';
import { nameRefusal } from '../../operations/named-refusal.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Principal } from '../../registry/actor.ts';
import type { ContactResult } from '../../registry/contacts/contact.ts';
import type { DomainResult } from '../../registry/domains/domain.ts';
import type { Nameserver } from '../../registry/domains/rules/parse-nameservers.ts';
import type { RenewedDomains } from '../../registry/domains/bulk/renew-many.ts';
import type { AffectedDomains } from '../../registry/domains/bulk/replace-on-each.ts';
import type { AcknowledgedMessages, ListedAcknowledged } from '../../registry/poll/read-messages.ts';
import type { BulkTransfer } from '../../registry/transfers/transfer-many.ts';
import type { EndpointGeneration, EndpointSecret } from '../../registry/webhooks/create-endpoint.ts';
import type { ReplayedEvents, SentEvent } from '../../registry/webhooks/send-again.ts';
import type { EndpointResult } from '../../registry/webhooks/update-endpoint.ts';
import { TRANSFER_NAMES } from './render-refusals.ts';

/** Results of operations as this API shows them. */

/** The caller as its own objects show it. */
export const renderSponsor = ({ registrarName, registrarWebsite = '' }: Principal) => ({
  name: registrarName,
  website: registrarWebsite,
});

export const renderDomain = ({ name, isPending }: DomainResult) => ({
  domain: isPending ? { name, pending: true } : { name },
});

export const renderStatus =
  (status: string) =>
  ({ name }: DomainResult) => ({ domain: name, status });

export const TRANSFER = 'domain_transfer';
export const renderTransfer = ({ name }: DomainResult) => ({ domain: { name, type: TRANSFER } });

/** Each by itself, the failed ones with the first reason in words of its own call. */
export const renderTransfers = ({ transferred, failed }: BulkTransfer) => ({
  success: transferred.map((name) => ({ type: TRANSFER, domain_name: name })),
  failed: failed.map(({ name, reason }) => ({
    type: TRANSFER,
    domain_name: name,
    errors: { code: String(reason.code), msg: nameRefusal(reason, TRANSFER_NAMES).message },
  })),
});

export const renderContact = ({ code }: ContactResult) => ({ contact: { code } });

export const renderRenewed = ({ names }: RenewedDomains) => ({ updated_domains: names });

export const renderAffected = ({ affected, skipped }: AffectedDomains) => ({
  affected_domains: affected,
  skipped_domains: skipped,
});

/** The call marks one message. */
export const renderAcknowledged = ({ ids: [id] }: AcknowledgedMessages) => ({
  notification_id: id,
  read: true,
});

export const renderListedAcknowledged = ({ ids, unknown }: ListedAcknowledged) => ({
  notification_ids: ids,
  unknown_ids: unknown,
  read: true,
});

/** The attributes of the new nameserver are those that were sent. */
export const renderReplaced =
  ({ hostname }: Nameserver, attributes: object) =>
  (result: AffectedDomains) => ({ type: 'nameserver', id: hostname, attributes, ...renderAffected(result) });

export const renderWebhook = ({ id }: EndpointResult) => ({ webhook: { id } });

export const renderDelivery = ({ eventId }: SentEvent) => ({ delivery: { event_id: eventId } });

/** A dry run issues no invoice, so that there is neither number nor link. */
export const renderTopUp = ({ number, net, vat, total, dueDate, paymentLink }: OrderedTopUp) => ({
  invoice: {
    ...(number !== undefined && { invoice_number: number }),
    amount: toDecimal(net),
    vat: toDecimal(vat),
    total: toDecimal(total),
    due_date: dueDate,
    ...(paymentLink !== undefined && { payment_link: paymentLink }),
  },
});

export const renderReplayed = ({ replayed }: ReplayedEvents) => ({ replayed });

/** A webhook's secret, in the one answer that shows it. */
export const renderSecret = ({ id, generation, secret }: EndpointSecret) => ({
  webhook: { id, generation, secret },
});
/** What is stored of that answer. */
export const renderGeneration = ({ id, generation }: EndpointGeneration) => ({ webhook: { id, generation } });

/** The answer to a call that has nothing to tell. */
export const renderNothing = () => ({});
