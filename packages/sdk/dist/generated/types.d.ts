import type { Absent, Flagged } from '../type-helpers.ts';
export type AccountMessageEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** number of the poll message */
    readonly message_id: number;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
};
export type BulkJobEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** id of the job, as in its address in the console */
    readonly job: string;
    /** what it did */
    readonly kind: 'renew' | 'nameservers' | 'contacts' | 'tech' | 'keys' | 'registrant' | 'hold' | 'transfer' | 'undo';
    /** domains that it had */
    readonly total: number;
    /** domains that it changed, or about which it asked their registrants */
    readonly changed: number;
    /** domains that were as they were to be */
    readonly unchanged: number;
    /** domains that were refused */
    readonly refused: number;
    /** of the request that began it */
    readonly request_id?: string | undefined;
};
export type CertificateChangeEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    readonly object: 'user';
    readonly id: number;
    /** name of the API user */
    readonly name: string;
    /** what was done */
    readonly operation: string;
    /** who did it */
    readonly by: 'registrar' | 'registry' | 'registrant';
    /** of the request that caused it */
    readonly request_id?: string | undefined;
    /** of that request, where it had one */
    readonly client_transaction_id?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
    /** of the certificate */
    readonly serial?: string | undefined;
};
export type ChangedDomain = {
    readonly name: string;
    /** the registrant was asked to confirm */
    readonly pending?: true | undefined;
};
export type CheckedName = {
    readonly name: string;
    readonly available: boolean;
    readonly reason: ('in use' | 'blocked' | 'reserved' | 'disputed' | 'zone' | 'invalid') | null;
    readonly prices: readonly OperationPrice[];
};
export type ConfirmationEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** number of the poll message */
    readonly message_id: number;
    readonly object: 'domain';
    readonly id: number;
    /** name of the domain */
    readonly name: string;
    /** name of the domain */
    readonly domain: string;
    /** of the request that caused it */
    readonly request_id?: string | undefined;
    /** of that request, where it had one */
    readonly client_transaction_id?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
};
export type Contact = {
    readonly code: string;
    readonly name: string;
    readonly ident: {
        readonly code: string;
        readonly type: 'priv' | 'org' | 'birthday';
        readonly country_code: string;
    };
    readonly email: string;
    readonly phone: string;
    readonly statuses: Readonly<Record<string, string | null>>;
    readonly disclosed_attributes: readonly ('name' | 'email' | 'phone' | 'address')[];
    /** your own note; gone with a transfer */
    readonly reference: string | null;
    readonly registrar: Registrar;
    readonly domains: readonly LinkedDomain[];
    readonly domains_count: number;
    readonly auth_info: string;
};
export type ContactChange = {
    /** full name of the person or organisation */
    readonly name?: string | null | undefined;
    /** e-mail address */
    readonly email?: string | null | undefined;
    /** country code and number, separated by a dot */
    readonly phone?: string | null | undefined;
    readonly ident?: NewIdent | null | undefined;
    /** replaces the list; an empty one discloses nothing */
    readonly disclosed_attributes?: readonly ('name' | 'email' | 'phone' | 'address')[] | null | undefined;
    /** your own note; null removes it */
    readonly reference?: string | null | undefined;
};
export type ContactChangeEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    readonly object: 'contact';
    readonly id: number;
    /** code of the contact */
    readonly name: string;
    /** code of the contact */
    readonly contact: string;
    /** what was done */
    readonly operation: string;
    /** who did it */
    readonly by: 'registrar' | 'registry' | 'registrant';
    /** of the request that caused it */
    readonly request_id?: string | undefined;
    /** of that request, where it had one */
    readonly client_transaction_id?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
    /** the names of the members that are different now */
    readonly changed?: readonly string[] | undefined;
};
export type ContactMessageEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** number of the poll message */
    readonly message_id: number;
    readonly object: 'contact';
    /** absent if it no longer exists */
    readonly id?: number | undefined;
    /** code of the contact */
    readonly name: string;
    /** code of the contact */
    readonly contact: string;
};
export type Domain = {
    readonly name: string;
    readonly registrant: {
        readonly name: string;
        readonly code: string;
    };
    /** ISO 8601 with the offset of the registry's zone */
    readonly created_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly updated_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly expire_time: string;
    readonly outzone_at: string | null;
    readonly delete_date: string | null;
    readonly force_delete_date: string | null;
    readonly contacts: readonly DomainContact[];
    readonly nameservers: readonly DomainNameserver[];
    readonly dnssec_keys: readonly DomainKey[];
    readonly statuses: DomainStatuses;
    readonly registrar: Registrar;
    readonly dispute: boolean;
    /** shown to the sponsor only */
    readonly reference?: string | null | undefined;
    /** shown to the sponsor only */
    readonly transfer_code?: string | undefined;
};
export type DomainChange = {
    readonly registrant?: {
        /** code of the new registrant, a contact of yours */
        readonly code: string;
        /** you vouch for the consent of the registrant */
        readonly verified?: boolean | null | undefined;
    } | null | undefined;
    /** a transfer code of your choice, 8 to 64 printable ASCII characters */
    readonly transfer_code?: string | null | undefined;
    /** your own note; null removes it */
    readonly reference?: string | null | undefined;
};
export type DomainChangeEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    readonly object: 'domain';
    readonly id: number;
    /** name of the domain */
    readonly name: string;
    /** name of the domain */
    readonly domain: string;
    /** what was done */
    readonly operation: string;
    /** who did it */
    readonly by: 'registrar' | 'registry' | 'registrant';
    /** of the request that caused it */
    readonly request_id?: string | undefined;
    /** of that request, where it had one */
    readonly client_transaction_id?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
    /** the names of the members that are different now */
    readonly changed?: readonly string[] | undefined;
    /** when the domain expires */
    readonly expire_time?: string | undefined;
    readonly statuses?: DomainStatuses | undefined;
    /** what it cost, of a registration or renewal */
    readonly amount?: string | undefined;
};
export type DomainContact = {
    readonly code: string;
    readonly type: 'AdminDomainContact' | 'TechDomainContact';
    readonly name?: string | undefined;
};
export type DomainHistoryEntry = {
    /** of two changes the younger has the higher one */
    readonly id: number;
    readonly at: string;
    /** what was done */
    readonly operation: string;
    /** who did it */
    readonly by: 'registrar' | 'registry' | 'registrant';
    /** which of your users or people */
    readonly user: string | null;
    /** why the registry did it, where it tells */
    readonly reason: string | null;
    /** the names of the members that were different then */
    readonly changed: readonly string[];
    /** when the domain expired, after the change */
    readonly expire_time: string | null;
    /** after the change */
    readonly statuses: DomainStatuses | null;
    /** what it cost */
    readonly charged: string | null;
    /** of your request */
    readonly request_id: string | null;
    /** of your request, where it had one */
    readonly client_transaction_id: string | null;
    /** of your request */
    readonly idempotency_key: string | null;
};
export type DomainKey = {
    /** in the answer to a dry run 0 */
    readonly id: number;
    readonly flags: number;
    readonly protocol: number;
    readonly alg: number;
    readonly public_key: string;
};
export type DomainMessageEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** number of the poll message */
    readonly message_id: number;
    readonly object: 'domain';
    /** absent if it no longer exists */
    readonly id?: number | undefined;
    /** name of the domain */
    readonly name: string;
    /** name of the domain */
    readonly domain: string;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
};
export type DomainName = {
    readonly name: string;
};
export type DomainNameserver = {
    /** in the answer to a dry run 0 */
    readonly id: number;
    readonly hostname: string;
    readonly ipv4: readonly string[];
    readonly ipv6: readonly string[];
};
/** each status with its note, which may be empty */
export type DomainStatuses = {
    readonly ok?: string | undefined;
    readonly inactive?: string | undefined;
    readonly disputed?: string | undefined;
    readonly clientDeleteProhibited?: string | undefined;
    readonly clientHold?: string | undefined;
    readonly clientRenewProhibited?: string | undefined;
    readonly clientTransferProhibited?: string | undefined;
    readonly clientUpdateProhibited?: string | undefined;
    readonly serverDeleteProhibited?: string | undefined;
    readonly serverHold?: string | undefined;
    readonly serverRenewProhibited?: string | undefined;
    readonly serverTransferProhibited?: string | undefined;
    readonly serverUpdateProhibited?: string | undefined;
    readonly serverManualInzone?: string | undefined;
    readonly serverRegistrantChangeProhibited?: string | undefined;
    readonly serverAdminChangeProhibited?: string | undefined;
    readonly serverTechChangeProhibited?: string | undefined;
    readonly serverReleaseProhibited?: string | undefined;
    readonly serverExtensionUpdateProhibited?: string | undefined;
    readonly serverObjUpdateProhibited?: string | undefined;
    readonly serverForceDelete?: string | undefined;
    readonly expired?: string | undefined;
    readonly deleteCandidate?: string | undefined;
    readonly pendingCreate?: string | undefined;
    readonly pendingDelete?: string | undefined;
    readonly pendingDeleteConfirmation?: string | undefined;
    readonly pendingRenew?: string | undefined;
    readonly pendingTransfer?: string | undefined;
    readonly pendingUpdate?: string | undefined;
};
/** only in the answer to a dry run */
export type DryRun = {
    /** what the call would cost */
    readonly price: string;
    /** the balance that would be left */
    readonly balance_after: string;
};
export type EventType = 'domain.registered' | 'domain.updated' | 'domain.renewed' | 'domain.deleted' | 'domain.expiring' | 'domain.update_pending' | 'domain.deletion_pending' | 'contact.created' | 'contact.updated' | 'contact.deleted' | 'user.created' | 'user.updated' | 'user.disabled' | 'user.enabled' | 'user.password_changed' | 'certificate.issued' | 'certificate.revoked' | 'maintenance.announced' | 'invoice.payment_failed' | 'job.finished' | 'domain.wrong_codes' | 'domain.transferred_away' | 'domain.transferred_in' | 'domain.update_confirmed' | 'domain.update_rejected' | 'domain.update_lapsed' | 'domain.update_failed' | 'domain.deletion_confirmed' | 'domain.deletion_rejected' | 'domain.deletion_lapsed' | 'domain.deletion_failed' | 'domain.request_withdrawn' | 'domain.expired' | 'domain.outzoned' | 'domain.delete_candidate' | 'domain.released' | 'domain.force_delete_set' | 'domain.force_delete_started' | 'domain.force_delete_held' | 'domain.force_delete_lifted' | 'domain.status_set' | 'domain.status_cancelled' | 'domain.restored' | 'contact.archived' | 'certificate.expiring' | 'balance.debt' | 'webhook.disabled' | 'debt.repaid' | 'balance.low' | 'balance.credited' | 'balance.debited' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.cancelled' | 'invoice.refunded' | 'statement.ready' | 'webhook.test';
/** every refusal but those of 401, 500 and 503 adds errors, of which code and message repeat the first */
export type Failure = {
    readonly code: number;
    readonly message: string;
    readonly data: Readonly<Record<never, never>>;
};
export type FailureEntry = {
    readonly code: number;
    readonly message: string;
    readonly field: string | null;
    /** name of the refusal, the same in every release; explained by the server at /guide/integrate/errors#<name> */
    readonly reason: string;
    /** with otherPrice and noFunds: what would be charged; of a bulk renewal the total */
    readonly price?: string | undefined;
    /** with noFunds: the balance */
    readonly balance?: string | undefined;
    /** with noFunds: what must be credited first, a debt included */
    readonly missing?: string | undefined;
};
export type FeedEvent = {
    /** the header webhook-id of the same event */
    readonly id: string;
    readonly type: EventType;
    /** when it happened */
    readonly timestamp: string;
    /** as webhooks of this type have it */
    readonly data: Readonly<Record<string, unknown>>;
    /** given as after, the feed continues behind this event */
    readonly position: string;
};
export type Invoice = {
    readonly invoice_number: number;
    readonly status: 'unpaid' | 'paid' | 'failed' | 'cancelled' | 'overdue' | 'refunded';
    readonly amount: string;
    readonly vat: string;
    readonly total: string;
    readonly due_date: string;
    readonly created_at: string;
    readonly currency: string;
    readonly reference_number: string | null;
    readonly payment_link: string | null;
    readonly lines: readonly {
        readonly description: string;
        readonly quantity: number;
        readonly amount: string;
    }[];
    readonly payments: readonly {
        readonly payment_reference: string;
        readonly payment_state: string | null;
    }[];
};
export type InvoiceSummary = {
    readonly invoice_number: number;
    readonly status: 'unpaid' | 'paid' | 'failed' | 'cancelled' | 'overdue' | 'refunded';
    readonly amount: string;
    readonly vat: string;
    readonly total: string;
    readonly due_date: string;
    readonly created_at: string;
};
export type IssuedInvoice = {
    /** none in a dry run */
    readonly invoice_number: number;
    readonly amount: string;
    readonly vat: string;
    readonly total: string;
    readonly due_date: string;
    /** none in a dry run */
    readonly payment_link: string;
};
export type Key = {
    readonly flags: number;
    readonly protocol: number;
    readonly alg: number;
    readonly public_key: string;
};
export type LinkedDomain = {
    readonly name: string;
    readonly roles: readonly ('Registrant' | 'AdminDomainContact' | 'TechDomainContact')[];
    readonly expire_time: string;
};
export type MaintenanceEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** when it is to begin */
    readonly starts_at: string;
    /** when it is to be over */
    readonly ends_at: string;
    /** what the registry says of it */
    readonly text?: string | undefined;
};
export type MoneyMessageEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** number of the poll message */
    readonly message_id: number;
    /** of the invoice that it is about */
    readonly invoice_number?: number | undefined;
    /** of that invoice, or what was credited, taken or repaid */
    readonly amount?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
};
export type Nameserver = {
    readonly hostname: string;
    readonly ipv4: readonly string[];
    readonly ipv6: readonly string[];
};
export type NewContact = {
    /** custom code */
    readonly id?: string | null | undefined;
    /** full name of the person or organisation */
    readonly name: string;
    /** e-mail address */
    readonly email: string;
    /** country code and number, separated by a dot */
    readonly phone: string;
    readonly ident: NewIdent;
    /** replaces the list; an empty one discloses nothing */
    readonly disclosed_attributes?: readonly ('name' | 'email' | 'phone' | 'address')[] | null | undefined;
    /** your own note, such as the number of an order; nobody else sees it */
    readonly reference?: string | null | undefined;
};
export type NewDomain = {
    /** the name, in Unicode or punycode */
    readonly name: string;
    /** the code of a reserved or disputed name */
    readonly reserved_pw?: string | null | undefined;
    /** a transfer code of your choice, 8 to 64 printable ASCII characters */
    readonly transfer_code?: string | null | undefined;
    /** code of the registrant, a contact of yours */
    readonly registrant: string;
    /** years or months */
    readonly period_unit: 'y' | 'm';
    /** number of units; the price list says which there are */
    readonly period: number;
    /** the price that you expect; another one is refused */
    readonly expected_price?: string | null | undefined;
    /** codes of admin contacts */
    readonly admin_contacts?: readonly string[] | null | undefined;
    /** codes of tech contacts */
    readonly tech_contacts?: readonly string[] | null | undefined;
    readonly nameservers_attributes?: readonly NewNameserver[] | null | undefined;
    readonly dnskeys_attributes?: readonly NewKey[] | null | undefined;
    /** your own note, such as the number of an order; nobody else sees it */
    readonly reference?: string | null | undefined;
};
export type NewIdent = {
    /** personal code, registry code or date of birth */
    readonly ident: string;
    /** what the code is */
    readonly ident_type: 'priv' | 'org' | 'birthday';
    /** ISO 3166-1 alpha-2 */
    readonly ident_country_code: string;
};
export type NewKey = {
    /** 256 (zone signing) or 257 (key signing) */
    readonly flags: string | number;
    /** 3 */
    readonly protocol: string | number;
    /** one of 3, 5, 6, 7, 8, 10, 13, 14, 15, 16 */
    readonly alg: string | number;
    /** the key in Base64 */
    readonly public_key: string;
};
export type NewNameserver = {
    /** name of the host */
    readonly hostname: string;
    readonly ipv4?: readonly string[] | null | undefined;
    readonly ipv6?: readonly string[] | null | undefined;
};
export type NewWebhook = {
    /** where events are posted: https, port 443, the name of a public host */
    readonly url: string;
    /** the registrar's own note */
    readonly description?: string | null | undefined;
    /** which events are sent; null for all, also those that are added later */
    readonly event_types?: readonly ('domain.registered' | 'domain.updated' | 'domain.renewed' | 'domain.deleted' | 'domain.expiring' | 'domain.update_pending' | 'domain.deletion_pending' | 'contact.created' | 'contact.updated' | 'contact.deleted' | 'user.created' | 'user.updated' | 'user.disabled' | 'user.enabled' | 'user.password_changed' | 'certificate.issued' | 'certificate.revoked' | 'maintenance.announced' | 'invoice.payment_failed' | 'job.finished' | 'domain.wrong_codes' | 'domain.transferred_away' | 'domain.transferred_in' | 'domain.update_confirmed' | 'domain.update_rejected' | 'domain.update_lapsed' | 'domain.update_failed' | 'domain.deletion_confirmed' | 'domain.deletion_rejected' | 'domain.deletion_lapsed' | 'domain.deletion_failed' | 'domain.request_withdrawn' | 'domain.expired' | 'domain.outzoned' | 'domain.delete_candidate' | 'domain.released' | 'domain.force_delete_set' | 'domain.force_delete_started' | 'domain.force_delete_held' | 'domain.force_delete_lifted' | 'domain.status_set' | 'domain.status_cancelled' | 'domain.restored' | 'contact.archived' | 'certificate.expiring' | 'balance.debt' | 'webhook.disabled' | 'debt.repaid' | 'balance.low' | 'balance.credited' | 'balance.debited' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.cancelled' | 'invoice.refunded' | 'statement.ready')[] | null | undefined;
};
export type Notification = {
    readonly id: number;
    readonly text: string;
    readonly attached_obj_type: ('Domain' | 'Contact') | null;
    readonly attached_obj_id: number | null;
    readonly type: 'wrong_codes' | 'transferred_away' | 'transferred_in' | 'update_confirmed' | 'update_rejected' | 'update_lapsed' | 'update_failed' | 'deletion_confirmed' | 'deletion_rejected' | 'deletion_lapsed' | 'deletion_failed' | 'request_withdrawn' | 'expired' | 'outzoned' | 'delete_candidate' | 'deleted' | 'force_delete_set' | 'force_delete_started' | 'force_delete_held' | 'force_delete_lifted' | 'status_set' | 'status_cancelled' | 'restored' | 'contact_updated' | 'contact_archived' | 'certificate_expiring' | 'debt_incurred' | 'webhook_disabled' | 'debt_repaid' | 'low_balance' | 'balance_credited' | 'balance_debited' | 'invoice_issued' | 'invoice_paid' | 'invoice_overdue' | 'invoice_cancelled' | 'invoice_refunded' | 'statement_ready';
    readonly created_at: string;
    /** whether it was marked as read; in lists always false */
    readonly read: boolean;
    /** name of the domain that it is about, also after that is gone */
    readonly domain: string | null;
    /** code of the contact that it is about */
    readonly contact: string | null;
    /** of the invoice that it is about */
    readonly invoice_number: number | null;
    /** of the invoice, or what was credited, taken or repaid */
    readonly amount: string | null;
    /** of a transfer: to you, or away from you */
    readonly direction: ('in' | 'out') | null;
    /** of your request that caused it */
    readonly idempotency_key: string | null;
};
export type OperationPrice = {
    readonly operation: 'create' | 'renew';
    /** number of units */
    readonly period: number;
    /** years or months */
    readonly period_unit: 'y' | 'm';
    readonly price: string;
    readonly currency: string;
};
export type PaymentFailedEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** of the invoice */
    readonly invoice_number: number;
    /** of the invoice */
    readonly amount: string;
};
export type Price = {
    readonly zone: string;
    readonly operation: 'create' | 'renew';
    /** number of units */
    readonly period: number;
    /** years or months */
    readonly period_unit: 'y' | 'm';
    readonly price: string;
    readonly currency: string;
    /** the first day with this price, yyyy-mm-dd */
    readonly valid_from: string;
    /** the first day without it, yyyy-mm-dd; null if no end is known */
    readonly valid_until: string | null;
};
export type Registrar = {
    readonly name: string;
    readonly website: string;
};
export type Renewal = {
    /** number of units */
    readonly period: number;
    /** years or months */
    readonly period_unit: 'y' | 'm';
    /** the present expiry date, yyyy-mm-dd */
    readonly exp_date: string;
    /** the price that you expect; another one is refused */
    readonly expected_price?: string | null | undefined;
};
export type SimpleContact = {
    readonly code: string;
    readonly name: string;
};
export type TestEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    readonly object: 'webhook';
    /** id of the endpoint */
    readonly name: string;
};
export type Transaction = {
    readonly created_at: string;
    readonly description: string;
    readonly type: 'debit' | 'credit';
    readonly sum: string;
    readonly balance: string;
    /** of two transactions the younger has the higher one */
    readonly id: number;
    /** what was booked */
    readonly operation: 'opening' | 'create' | 'renew' | 'top-up' | 'refund' | 'correction' | 'debt incurred' | 'debt repayment' | 'other';
    /** that was registered or renewed */
    readonly domain: string | null;
    /** by which it was, as a number of units */
    readonly period: number | null;
    /** unit of the period */
    readonly period_unit: ('y' | 'm') | null;
    /** of the invoice that was paid or refunded */
    readonly invoice_number: number | null;
    /** of your request, as its answer had it */
    readonly request_id: string | null;
    /** of your request */
    readonly idempotency_key: string | null;
};
export type Transfer = {
    readonly name: string;
    readonly registrant: {
        readonly name: string;
        readonly code: string;
    };
    /** ISO 8601 with the offset of the registry's zone */
    readonly created_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly updated_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly expire_time: string;
    readonly outzone_at: string | null;
    readonly delete_date: string | null;
    readonly force_delete_date: string | null;
    readonly contacts: readonly DomainContact[];
    readonly nameservers: readonly DomainNameserver[];
    readonly dnssec_keys: readonly DomainKey[];
    readonly statuses: DomainStatuses;
    readonly registrar: Registrar;
    readonly dispute: boolean;
    /** your own note; gone with a transfer */
    readonly reference: string | null;
    readonly type: 'domain_transfer';
};
export type TransferContact = {
    readonly code: string;
    readonly phone: string;
    readonly email: string;
    readonly ident: string;
    readonly ident_type: 'priv' | 'org' | 'birthday';
    readonly name: string;
    readonly ident_country_code: string;
    readonly city: string | null;
    readonly street: string | null;
    readonly zip: string | null;
    readonly country_code: string | null;
    readonly statuses: readonly string[];
};
export type TransferEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    /** number of the poll message */
    readonly message_id: number;
    readonly object: 'domain';
    readonly id: number;
    /** name of the domain */
    readonly name: string;
    /** name of the domain */
    readonly domain: string;
    /** code of the registrar that lost the domain */
    readonly from: string;
    /** code of the registrar that gained it */
    readonly to: string;
    /** to you, or away from you */
    readonly direction?: 'in' | 'out' | undefined;
    /** when the domain expires */
    readonly expire_time?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
};
export type UpdatedDomain = {
    readonly name: string;
    readonly registrant: {
        readonly name: string;
        readonly code: string;
    };
    /** ISO 8601 with the offset of the registry's zone */
    readonly created_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly updated_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly expire_time: string;
    readonly outzone_at: string | null;
    readonly delete_date: string | null;
    readonly force_delete_date: string | null;
    readonly contacts: readonly DomainContact[];
    readonly nameservers: readonly DomainNameserver[];
    readonly dnssec_keys: readonly DomainKey[];
    readonly statuses: DomainStatuses;
    readonly registrar: Registrar;
    readonly dispute: boolean;
    /** your own note; gone with a transfer */
    readonly reference: string | null;
    /** the registrant was asked to confirm */
    readonly pending?: true | undefined;
};
export type UserChangeEventData = {
    /** of two events about one object the younger has the higher one */
    readonly sequence: number;
    readonly object: 'user';
    readonly id: number;
    /** name of the API user */
    readonly name: string;
    /** what was done */
    readonly operation: string;
    /** who did it */
    readonly by: 'registrar' | 'registry' | 'registrant';
    /** of the request that caused it */
    readonly request_id?: string | undefined;
    /** of that request, where it had one */
    readonly client_transaction_id?: string | undefined;
    /** of your request that caused it */
    readonly idempotency_key?: string | undefined;
};
export type Webhook = {
    readonly id: string;
    readonly url: string;
    readonly description: string;
    readonly event_types: readonly EventType[] | null;
    readonly enabled: boolean;
    /** since when nothing is sent */
    readonly disabled_at: string | null;
    /** why */
    readonly disabled_reason: string | null;
    readonly created_at: string;
    readonly updated_at: string;
    /** when an event was last received; exact to a minute */
    readonly last_success_at: string | null;
    /** since when every attempt has failed */
    readonly failing_since: string | null;
    /** until when the secret that was replaced signs too */
    readonly old_secret_until: string | null;
};
export type WebhookChange = {
    /** where events are posted: https, port 443, the name of a public host */
    readonly url?: string | null | undefined;
    /** the registrar's own note */
    readonly description?: string | null | undefined;
    /** which events are sent; null for all, also those that are added later */
    readonly event_types?: readonly ('domain.registered' | 'domain.updated' | 'domain.renewed' | 'domain.deleted' | 'domain.expiring' | 'domain.update_pending' | 'domain.deletion_pending' | 'contact.created' | 'contact.updated' | 'contact.deleted' | 'user.created' | 'user.updated' | 'user.disabled' | 'user.enabled' | 'user.password_changed' | 'certificate.issued' | 'certificate.revoked' | 'maintenance.announced' | 'invoice.payment_failed' | 'job.finished' | 'domain.wrong_codes' | 'domain.transferred_away' | 'domain.transferred_in' | 'domain.update_confirmed' | 'domain.update_rejected' | 'domain.update_lapsed' | 'domain.update_failed' | 'domain.deletion_confirmed' | 'domain.deletion_rejected' | 'domain.deletion_lapsed' | 'domain.deletion_failed' | 'domain.request_withdrawn' | 'domain.expired' | 'domain.outzoned' | 'domain.delete_candidate' | 'domain.released' | 'domain.force_delete_set' | 'domain.force_delete_started' | 'domain.force_delete_held' | 'domain.force_delete_lifted' | 'domain.status_set' | 'domain.status_cancelled' | 'domain.restored' | 'contact.archived' | 'certificate.expiring' | 'balance.debt' | 'webhook.disabled' | 'debt.repaid' | 'balance.low' | 'balance.credited' | 'balance.debited' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.cancelled' | 'invoice.refunded' | 'statement.ready')[] | null | undefined;
    /** false stops all deliveries */
    readonly enabled?: boolean | null | undefined;
};
export type WebhookDelivery = {
    /** the header webhook-id */
    readonly event_id: string;
    readonly type: EventType;
    /** of two events about one object the younger has the higher */
    readonly sequence: number;
    readonly timestamp: string;
    readonly state: 'waiting' | 'sending' | 'delivered' | 'failed';
    readonly attempts: number;
    /** while it is being sent: when it is taken for lost */
    readonly next_attempt_at: string | null;
    /** when it was delivered or given up */
    readonly finished_at: string | null;
    /** when it was last tried */
    readonly last_attempt_at: string | null;
    /** the HTTP status that was answered */
    readonly last_status: number | null;
    /** why the last attempt failed */
    readonly last_error: string | null;
};
export type WebhookDeliveryWithData = {
    /** the header webhook-id */
    readonly event_id: string;
    readonly type: EventType;
    /** of two events about one object the younger has the higher */
    readonly sequence: number;
    readonly timestamp: string;
    readonly state: 'waiting' | 'sending' | 'delivered' | 'failed';
    readonly attempts: number;
    /** while it is being sent: when it is taken for lost */
    readonly next_attempt_at: string | null;
    /** when it was delivered or given up */
    readonly finished_at: string | null;
    /** when it was last tried */
    readonly last_attempt_at: string | null;
    /** the HTTP status that was answered */
    readonly last_status: number | null;
    /** why the last attempt failed */
    readonly last_error: string | null;
    readonly data: Readonly<Record<string, unknown>>;
};
export type WebhookId = {
    readonly id: string;
};
export type WebhookSecret = {
    readonly id: string;
    /** counts the secrets of the endpoint */
    readonly generation: number;
    /** signs events; it is not shown again */
    readonly secret: string;
};
/** the contact as its sponsor reads it, without the auth_info */
export type WholeContact = {
    readonly code: string;
    readonly name: string;
    readonly ident: {
        readonly code: string;
        readonly type: 'priv' | 'org' | 'birthday';
        readonly country_code: string;
    };
    readonly email: string;
    readonly phone: string;
    readonly statuses: Readonly<Record<string, string | null>>;
    readonly disclosed_attributes: readonly ('name' | 'email' | 'phone' | 'address')[];
    /** your own note; gone with a transfer */
    readonly reference: string | null;
    readonly registrar: Registrar;
    readonly domains: readonly LinkedDomain[];
    readonly domains_count: number;
};
/** the domain as its sponsor reads it, without the transfer code */
export type WholeDomain = {
    readonly name: string;
    readonly registrant: {
        readonly name: string;
        readonly code: string;
    };
    /** ISO 8601 with the offset of the registry's zone */
    readonly created_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly updated_at: string;
    /** ISO 8601 with the offset of the registry's zone */
    readonly expire_time: string;
    readonly outzone_at: string | null;
    readonly delete_date: string | null;
    readonly force_delete_date: string | null;
    readonly contacts: readonly DomainContact[];
    readonly nameservers: readonly DomainNameserver[];
    readonly dnssec_keys: readonly DomainKey[];
    readonly statuses: DomainStatuses;
    readonly registrar: Registrar;
    readonly dispute: boolean;
    /** your own note; gone with a transfer */
    readonly reference: string | null;
};
/** Refusals that are not specific to a call: syntax, rights, limits. */
export declare const COMMON_REFUSALS: readonly ['malformedRequest', 'unknownField', 'otherFormat', 'unreadableMediaType', 'teapot', 'tooManyRequests', 'tooManyFailures', 'malformedJson', 'bodyTooLarge', 'tooManyValues', 'keyReused', 'notAllowed', 'wrongSyntax', 'unprintableText', 'fieldMissing'];
export type CommonRefusalName = (typeof COMMON_REFUSALS)[number];
/** Every refusal that an answer can name. */
export type RefusalName = 'adminNotPerson' | 'adminRequired' | 'adminTooYoung' | 'alreadySponsor' | 'bodyObjectMissing' | 'bodyTooLarge' | 'codeMissing' | 'contactCodeTaken' | 'contactLinked' | 'contactNotLinked' | 'contactTwice' | 'dnsKeyMissing' | 'dnsKeyTaken' | 'domainTwice' | 'expiryMismatch' | 'expiryPast' | 'expiryTooFar' | 'fieldMissing' | 'glueMissing' | 'identUnchangeable' | 'keyReused' | 'malformedJson' | 'malformedRequest' | 'nameBlocked' | 'nameInvalid' | 'nameTaken' | 'nameYours' | 'nameserverCount' | 'nameserverTaken' | 'noFunds' | 'noInvoiceNumber' | 'noPrice' | 'notAllowed' | 'notSponsor' | 'notTransferable' | 'objectGone' | 'objectMissing' | 'otherFormat' | 'otherPrice' | 'outOfRange' | 'positionGone' | 'positionUnknown' | 'providerMissing' | 'reservationCodeMissing' | 'sameContact' | 'sameNameserver' | 'statusAbsent' | 'statusProhibits' | 'statusUnsupported' | 'teapot' | 'tooMany' | 'tooManyFailures' | 'tooManyRequests' | 'tooManyValues' | 'tooManyWebhooks' | 'tooManyWrongCodes' | 'unknownField' | 'unprintableText' | 'unreadableMediaType' | 'webhookDisabled' | 'webhooksOff' | 'wrongCode' | 'wrongSyntax';
export type ReadBalanceData<Detailed extends boolean> = {
    readonly balance: string;
    readonly currency: string;
    readonly debt?: string | undefined;
    readonly transactions: Flagged<Detailed, readonly Transaction[], undefined>;
};
export type ReadBalanceQuery<Detailed extends boolean> = {
    /** with the transactions */
    readonly detailed?: Detailed | undefined;
    /** only transactions of this day and later, yyyy-mm-dd */
    readonly from?: string | undefined;
    /** only transactions before this day, yyyy-mm-dd */
    readonly until?: string | undefined;
};
export type ReadBalanceRefusal = 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type AddCreditData = {
    readonly invoice: IssuedInvoice;
};
export type AddCreditInput = {
    /** what the account gains, such as 100.00 */
    readonly amount: string;
};
export type AddCreditRefusal = 'outOfRange' | 'noInvoiceNumber' | 'providerMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListInvoicesData = {
    readonly invoices: readonly InvoiceSummary[];
    readonly count: number;
};
export type ListInvoicesQuery = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** how many items to pass over */
    readonly offset?: number | undefined;
    /** where the page before ended, as its Link header tells */
    readonly after?: string | undefined;
};
export type ListInvoicesRefusal = 'outOfRange' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadInvoiceData = {
    readonly invoice: Invoice;
};
export type ReadInvoiceRefusal = 'objectMissing' | 'malformedRequest' | 'unknownField' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadInvoicePdfData = Uint8Array;
export type ReadInvoicePdfRefusal = 'objectMissing' | 'malformedRequest' | 'unknownField' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadInvoiceUblData = Uint8Array;
export type ReadInvoiceUblRefusal = 'objectMissing' | 'malformedRequest' | 'unknownField' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListNotificationsData = readonly Notification[];
export type ListNotificationsQuery = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** how many items to pass over */
    readonly offset?: number | undefined;
    /** where the page before ended, as its Link header tells */
    readonly after?: string | undefined;
    /** created_at: oldest first */
    readonly sort?: 'created_at' | '-created_at' | undefined;
};
export type ListNotificationsRefusal = 'outOfRange' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadLatestNotificationData = Notification | Absent<Notification>;
export type ReadLatestNotificationRefusal = 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type AcknowledgeNotificationsData = {
    /** those that are read now */
    readonly notification_ids: readonly number[];
    /** those that are no messages of yours */
    readonly unknown_ids: readonly number[];
    readonly read: boolean;
};
export type AcknowledgeNotificationsInput = {
    /** ids of messages */
    readonly ids: readonly number[];
    /** true marks them as read; false is refused */
    readonly read: boolean;
};
export type AcknowledgeNotificationsRefusal = 'outOfRange' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadNotificationRefusal = 'objectMissing' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type AcknowledgeNotificationData = {
    readonly notification_id: number;
    readonly read: boolean;
};
export type AcknowledgeNotificationRefusal = 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadEventsData = {
    readonly events: readonly FeedEvent[];
    /** where this answer ended: the next one continues after it */
    readonly position: string;
    /** whether more is there already; also after an answer with fewer events than the limit */
    readonly has_more: boolean;
};
export type ReadEventsQuery = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** a position: of an event, or where an earlier answer ended; without one all that is kept */
    readonly after?: string | undefined;
};
export type ReadEventsRefusal = 'outOfRange' | 'positionUnknown' | 'positionGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListContactsData<Details extends boolean> = {
    readonly contacts: readonly Flagged<Details, Contact, string>[];
    readonly count: number;
};
export type ListContactsQuery<Details extends boolean> = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** how many items to pass over */
    readonly offset?: number | undefined;
    /** where the page before ended, as its Link header tells */
    readonly after?: string | undefined;
    /** full objects instead of codes */
    readonly details?: Details | undefined;
    /** only contacts whose code or name begins like this */
    readonly q?: string | undefined;
    /** order; descending with a leading - */
    readonly sort?: 'code' | 'name' | 'created_at' | '-code' | '-name' | '-created_at' | undefined;
};
export type ListContactsRefusal = 'outOfRange' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type CreateContactData = {
    readonly contact: WholeContact;
};
export type CreateContactRefusal = 'contactCodeTaken' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type CheckContactData = {
    readonly contact: {
        readonly code: string;
        readonly available: boolean;
    };
};
export type CheckContactRefusal = 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadContactData<Simple extends boolean> = {
    readonly contact: Flagged<Simple, SimpleContact, Contact>;
};
export type ReadContactQuery<Simple extends boolean> = {
    /** code and name only */
    readonly simple?: Simple | undefined;
};
export type ReadContactRefusal = 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type UpdateContactData = {
    readonly contact: WholeContact;
};
export type UpdateContactRefusal = 'statusProhibits' | 'identUnchangeable' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type DeleteContactData = Readonly<Record<never, never>>;
export type DeleteContactRefusal = 'statusProhibits' | 'contactLinked' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListDomainsData<Details extends boolean> = {
    readonly new_domain: readonly Flagged<Details, Domain, string>[];
    readonly domains: readonly Flagged<Details, Domain, string>[];
    readonly count: number;
};
export type ListDomainsQuery<Details extends boolean> = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** how many items to pass over */
    readonly offset?: number | undefined;
    /** where the page before ended, as its Link header tells */
    readonly after?: string | undefined;
    /** full objects instead of names */
    readonly details?: Details | undefined;
    /** only domains whose name begins like this */
    readonly q?: string | undefined;
    /** only domains that have this contact of yours, in any role */
    readonly contact?: string | undefined;
    /** only domains that were changed at this time or later, in ISO 8601 */
    readonly updated_since?: string | undefined;
    /** only domains that expire before this time, in ISO 8601 */
    readonly expires_before?: string | undefined;
    /** order; descending with a leading - */
    readonly sort?: 'name' | 'created_at' | 'expire_time' | '-name' | '-created_at' | '-expire_time' | undefined;
};
export type ListDomainsRefusal = 'outOfRange' | 'bodyObjectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type CreateDomainData = {
    readonly domain: WholeDomain;
    /** what the call has cost */
    readonly charged: string;
};
export type CreateDomainRefusal = 'outOfRange' | 'nameInvalid' | 'nameTaken' | 'nameYours' | 'nameBlocked' | 'reservationCodeMissing' | 'wrongCode' | 'bodyObjectMissing' | 'noPrice' | 'otherPrice' | 'noFunds' | 'contactTwice' | 'adminNotPerson' | 'adminTooYoung' | 'adminRequired' | 'tooMany' | 'nameserverCount' | 'nameserverTaken' | 'glueMissing' | 'dnsKeyTaken' | 'tooManyWrongCodes' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type CheckDomainData = {
    readonly domain: {
        readonly name: string;
        readonly available: boolean;
        readonly reason: ('in use' | 'blocked' | 'reserved' | 'disputed' | 'zone' | 'invalid') | null;
    };
};
export type CheckDomainRefusal = 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadDomainData = {
    readonly domain: Domain;
};
export type ReadDomainRefusal = 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type UpdateDomainData = {
    readonly domain: UpdatedDomain;
    /** what the call has cost */
    readonly charged: string;
};
export type UpdateDomainRefusal = 'statusProhibits' | 'bodyObjectMissing' | 'adminRequired' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type DeleteDomainData = {
    readonly domain: ChangedDomain;
};
export type DeleteDomainInput = {
    /** false asks the registrant first */
    readonly verified: boolean;
};
export type DeleteDomainRefusal = 'statusProhibits' | 'wrongCode' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListDomainHistoryData = {
    readonly history: readonly DomainHistoryEntry[];
};
export type ListDomainHistoryQuery = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** where the page before ended, as its Link header tells */
    readonly after?: string | undefined;
};
export type ListDomainHistoryRefusal = 'outOfRange' | 'notSponsor' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListPricesData = {
    readonly prices: readonly Price[];
};
export type ListPricesRefusal = 'malformedRequest' | 'unknownField' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type CheckDomainsData = {
    readonly domains: readonly CheckedName[];
};
export type CheckDomainsInput = readonly string[];
export type CheckDomainsRefusal = 'outOfRange' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListDomainContactsData = {
    readonly admin_contacts: readonly string[];
    readonly tech_contacts: readonly string[];
};
export type ListDomainContactsRefusal = 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type AddDomainContactsData = {
    readonly domain: DomainName;
};
export type AddDomainContactsInput = readonly {
    /** contact code */
    readonly code: string;
    /** the role */
    readonly type: 'admin' | 'tech';
}[];
export type AddDomainContactsRefusal = 'outOfRange' | 'statusProhibits' | 'bodyObjectMissing' | 'contactTwice' | 'adminNotPerson' | 'adminTooYoung' | 'tooMany' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RemoveDomainContactsData = {
    readonly domain: DomainName;
};
export type RemoveDomainContactsInput = readonly {
    /** contact code */
    readonly code: string;
    /** the role */
    readonly type: 'admin' | 'tech';
}[];
export type RemoveDomainContactsRefusal = 'outOfRange' | 'statusProhibits' | 'contactNotLinked' | 'adminRequired' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListNameserversData = {
    readonly nameservers: readonly Nameserver[];
};
export type ListNameserversRefusal = 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type AddNameserversData = {
    readonly domain: DomainName;
};
export type AddNameserversInput = readonly NewNameserver[];
export type AddNameserversRefusal = 'outOfRange' | 'statusProhibits' | 'nameserverCount' | 'nameserverTaken' | 'glueMissing' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RemoveNameserversData = {
    readonly domain: DomainName;
};
export type RemoveNameserversRefusal = 'statusProhibits' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RemoveNameserverData = {
    readonly domain: DomainName;
};
export type RemoveNameserverRefusal = 'statusProhibits' | 'nameserverCount' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListKeysData = {
    readonly dns_keys: readonly Key[];
};
export type ListKeysRefusal = 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type AddKeysData = {
    readonly domain: DomainName;
};
export type AddKeysInput = readonly NewKey[];
export type AddKeysRefusal = 'outOfRange' | 'statusProhibits' | 'dnsKeyTaken' | 'tooMany' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RemoveKeysData = {
    readonly domain: DomainName;
};
export type RemoveKeysInput = readonly NewKey[];
export type RemoveKeysRefusal = 'outOfRange' | 'statusProhibits' | 'dnsKeyMissing' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type SetStatusData = {
    readonly domain: string;
    readonly status: 'clientHold';
};
export type SetStatusRefusal = 'statusProhibits' | 'statusUnsupported' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RemoveStatusData = Readonly<Record<never, never>>;
export type RemoveStatusRefusal = 'statusProhibits' | 'statusUnsupported' | 'statusAbsent' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadTransferInfoData = {
    readonly domain: string;
    readonly registrant: TransferContact;
    readonly admin_contacts: readonly TransferContact[];
    readonly tech_contacts: readonly TransferContact[];
};
export type ReadTransferInfoRefusal = 'codeMissing' | 'wrongCode' | 'objectMissing' | 'objectGone' | 'tooManyWrongCodes' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type TransferDomainData = {
    readonly domain: Transfer;
    /** what the call has cost */
    readonly charged: string;
};
export type TransferDomainInput = {
    /** the domain's transfer code */
    readonly transfer_code: string;
    /** the price that you expect: 0.00; another one is refused */
    readonly expected_price?: string | null | undefined;
};
export type TransferDomainRefusal = 'wrongCode' | 'otherPrice' | 'alreadySponsor' | 'statusProhibits' | 'notTransferable' | 'objectMissing' | 'objectGone' | 'tooManyWrongCodes' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type TransferDomainsData = {
    readonly success: readonly {
        readonly type: 'domain_transfer';
        readonly domain_name: string;
    }[];
    readonly failed: readonly {
        readonly type: 'domain_transfer';
        readonly domain_name: string;
        readonly errors: {
            readonly code: string;
            readonly msg: string;
        };
    }[];
};
export type TransferDomainsInput = readonly {
    /** name */
    readonly domain_name: string;
    /** the domain's transfer code */
    readonly transfer_code: string;
}[];
export type TransferDomainsRefusal = 'outOfRange' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReplaceTechContactData = {
    readonly affected_domains: readonly string[];
    readonly skipped_domains: readonly string[];
};
export type ReplaceTechContactInput = {
    /** code of the tech contact to replace */
    readonly current_contact_id: string;
    /** code of the contact to put in its place */
    readonly new_contact_id: string;
};
export type ReplaceTechContactRefusal = 'bodyObjectMissing' | 'sameContact' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReplaceNameserverData = {
    readonly type: 'nameserver';
    readonly id: string;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly affected_domains: readonly string[];
    readonly skipped_domains: readonly string[];
};
export type ReplaceNameserverInput = {
    /** always nameserver */
    readonly type: 'nameserver';
    /** hostname of the nameserver to replace */
    readonly id: string;
    /** only on these; without it on all that have it */
    readonly domains?: readonly string[] | undefined;
    readonly attributes: NewNameserver;
};
export type ReplaceNameserverRefusal = 'outOfRange' | 'bodyObjectMissing' | 'sameNameserver' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RenewDomainData = {
    readonly domain: WholeDomain;
    /** what the call has cost */
    readonly charged: string;
};
export type RenewDomainRefusal = 'outOfRange' | 'statusProhibits' | 'expiryMismatch' | 'noPrice' | 'otherPrice' | 'noFunds' | 'expiryTooFar' | 'expiryPast' | 'notSponsor' | 'objectMissing' | 'objectGone' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RenewDomainsData = {
    readonly updated_domains: readonly string[];
};
export type RenewDomainsInput = {
    readonly domains: readonly string[];
    /** 3m, 6m, 9m, or 1y to 10y */
    readonly renew_period: string;
    /** the total that you expect; another one is refused */
    readonly expected_price?: string | null | undefined;
};
export type RenewDomainsRefusal = 'outOfRange' | 'bodyObjectMissing' | 'statusProhibits' | 'noPrice' | 'otherPrice' | 'noFunds' | 'expiryTooFar' | 'expiryPast' | 'domainTwice' | 'notSponsor' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListWebhooksData = {
    readonly webhooks: readonly Webhook[];
};
export type ListWebhooksRefusal = 'webhooksOff' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type CreateWebhookData = {
    readonly webhook: WebhookSecret;
};
export type CreateWebhookRefusal = 'webhooksOff' | 'tooManyWebhooks' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadWebhookData = {
    readonly webhook: Webhook;
};
export type ReadWebhookRefusal = 'webhooksOff' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type UpdateWebhookData = {
    readonly webhook: WebhookId;
};
export type UpdateWebhookRefusal = 'webhooksOff' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type DeleteWebhookData = Readonly<Record<never, never>>;
export type DeleteWebhookRefusal = 'webhooksOff' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type RotateWebhookSecretData = {
    readonly webhook: WebhookSecret;
};
export type RotateWebhookSecretRefusal = 'webhooksOff' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type TestWebhookData = {
    readonly delivery: {
        readonly event_id: string;
    };
};
export type TestWebhookRefusal = 'webhooksOff' | 'webhookDisabled' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ListWebhookDeliveriesData = {
    readonly deliveries: readonly WebhookDelivery[];
};
export type ListWebhookDeliveriesQuery = {
    /** how many items at the most */
    readonly limit?: number | undefined;
    /** where the page before ended, as its Link header tells */
    readonly after?: string | undefined;
    /** only those in this state */
    readonly state?: 'waiting' | 'sending' | 'delivered' | 'failed' | undefined;
    /** only events of this type */
    readonly type?: string | undefined;
};
export type ListWebhookDeliveriesRefusal = 'outOfRange' | 'webhooksOff' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReadWebhookDeliveryData = {
    readonly delivery: WebhookDeliveryWithData;
};
export type ReadWebhookDeliveryRefusal = 'webhooksOff' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReplayWebhookDeliveryData = {
    readonly delivery: {
        readonly event_id: string;
    };
};
export type ReplayWebhookDeliveryRefusal = 'webhooksOff' | 'webhookDisabled' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
export type ReplayWebhookData = {
    /** how many are sent again */
    readonly replayed: number;
};
export type ReplayWebhookInput = {
    /** a time in ISO 8601, with its zone */
    readonly since: string;
};
export type ReplayWebhookRefusal = 'webhooksOff' | 'webhookDisabled' | 'objectMissing' | 'malformedRequest' | 'unknownField' | 'wrongSyntax' | 'unprintableText' | 'malformedJson' | 'bodyTooLarge' | 'tooManyValues' | 'keyReused' | 'fieldMissing' | 'notAllowed' | 'otherFormat' | 'unreadableMediaType' | 'teapot' | 'tooManyRequests' | 'tooManyFailures';
