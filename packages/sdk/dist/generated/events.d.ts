import type { AccountMessageEventData, BulkJobEventData, CertificateChangeEventData, ConfirmationEventData, ContactChangeEventData, ContactMessageEventData, DomainChangeEventData, DomainMessageEventData, MaintenanceEventData, MoneyMessageEventData, PaymentFailedEventData, TestEventData, TransferEventData, UserChangeEventData } from './types.ts';
/** The data of every event, by its type. */
export type EventData = {
    /** a domain was registered */
    readonly 'domain.registered': DomainChangeEventData;
    /** a domain was changed: contacts, nameservers, keys, statuses, registrant */
    readonly 'domain.updated': DomainChangeEventData;
    /** a domain was renewed */
    readonly 'domain.renewed': DomainChangeEventData;
    /** a domain was deleted; it is released later */
    readonly 'domain.deleted': DomainChangeEventData;
    /** a domain that is not being deleted expires in 30 days, or as many as the policy says */
    readonly 'domain.expiring': DomainChangeEventData;
    /** the registrant was asked to confirm a new registrant */
    readonly 'domain.update_pending': DomainChangeEventData;
    /** the registrant was asked to confirm the deletion */
    readonly 'domain.deletion_pending': DomainChangeEventData;
    /** a contact was created, or copied by a transfer */
    readonly 'contact.created': ContactChangeEventData;
    /** a contact was changed */
    readonly 'contact.updated': ContactChangeEventData | ContactMessageEventData;
    /** a contact was deleted */
    readonly 'contact.deleted': ContactChangeEventData;
    /** an API user was created */
    readonly 'user.created': UserChangeEventData;
    /** an API user was changed */
    readonly 'user.updated': UserChangeEventData;
    /** an API user was disabled */
    readonly 'user.disabled': UserChangeEventData;
    /** an API user was enabled */
    readonly 'user.enabled': UserChangeEventData;
    /** the password of an API user was changed */
    readonly 'user.password_changed': UserChangeEventData;
    /** a certificate of an API user was entered */
    readonly 'certificate.issued': CertificateChangeEventData;
    /** a certificate of an API user was revoked */
    readonly 'certificate.revoked': CertificateChangeEventData;
    /** the registry has announced maintenance, during which calls are answered with 503 */
    readonly 'maintenance.announced': MaintenanceEventData;
    /** an attempt to pay an invoice failed; it can be paid again */
    readonly 'invoice.payment_failed': PaymentFailedEventData;
    /** a change of many domains that somebody began in the console is done, with what became of its rows */
    readonly 'job.finished': BulkJobEventData;
    /** poll message wrong_codes */
    readonly 'domain.wrong_codes': DomainMessageEventData;
    /** poll message transferred_away */
    readonly 'domain.transferred_away': TransferEventData;
    /** poll message transferred_in */
    readonly 'domain.transferred_in': TransferEventData;
    /** poll message update_confirmed */
    readonly 'domain.update_confirmed': ConfirmationEventData;
    /** poll message update_rejected */
    readonly 'domain.update_rejected': ConfirmationEventData;
    /** poll message update_lapsed */
    readonly 'domain.update_lapsed': ConfirmationEventData;
    /** poll message update_failed */
    readonly 'domain.update_failed': ConfirmationEventData;
    /** poll message deletion_confirmed */
    readonly 'domain.deletion_confirmed': ConfirmationEventData;
    /** poll message deletion_rejected */
    readonly 'domain.deletion_rejected': ConfirmationEventData;
    /** poll message deletion_lapsed */
    readonly 'domain.deletion_lapsed': ConfirmationEventData;
    /** poll message deletion_failed */
    readonly 'domain.deletion_failed': ConfirmationEventData;
    /** poll message request_withdrawn */
    readonly 'domain.request_withdrawn': ConfirmationEventData;
    /** poll message expired */
    readonly 'domain.expired': DomainMessageEventData;
    /** poll message outzoned */
    readonly 'domain.outzoned': DomainMessageEventData;
    /** poll message delete_candidate */
    readonly 'domain.delete_candidate': DomainMessageEventData;
    /** poll message deleted */
    readonly 'domain.released': DomainMessageEventData;
    /** poll message force_delete_set */
    readonly 'domain.force_delete_set': DomainMessageEventData;
    /** poll message force_delete_started */
    readonly 'domain.force_delete_started': DomainMessageEventData;
    /** poll message force_delete_held */
    readonly 'domain.force_delete_held': DomainMessageEventData;
    /** poll message force_delete_lifted */
    readonly 'domain.force_delete_lifted': DomainMessageEventData;
    /** poll message status_set */
    readonly 'domain.status_set': DomainMessageEventData;
    /** poll message status_cancelled */
    readonly 'domain.status_cancelled': DomainMessageEventData;
    /** poll message restored */
    readonly 'domain.restored': DomainMessageEventData;
    /** poll message contact_archived */
    readonly 'contact.archived': ContactMessageEventData;
    /** poll message certificate_expiring */
    readonly 'certificate.expiring': AccountMessageEventData;
    /** poll message debt_incurred */
    readonly 'balance.debt': MoneyMessageEventData;
    /** poll message webhook_disabled */
    readonly 'webhook.disabled': AccountMessageEventData;
    /** poll message debt_repaid */
    readonly 'debt.repaid': MoneyMessageEventData;
    /** poll message low_balance */
    readonly 'balance.low': AccountMessageEventData;
    /** poll message balance_credited */
    readonly 'balance.credited': MoneyMessageEventData;
    /** poll message balance_debited */
    readonly 'balance.debited': MoneyMessageEventData;
    /** poll message invoice_issued */
    readonly 'invoice.issued': MoneyMessageEventData;
    /** poll message invoice_paid */
    readonly 'invoice.paid': MoneyMessageEventData;
    /** poll message invoice_overdue */
    readonly 'invoice.overdue': MoneyMessageEventData;
    /** poll message invoice_cancelled */
    readonly 'invoice.cancelled': MoneyMessageEventData;
    /** poll message invoice_refunded */
    readonly 'invoice.refunded': MoneyMessageEventData;
    /** poll message statement_ready */
    readonly 'statement.ready': AccountMessageEventData;
    /** sent on request, to one endpoint */
    readonly 'webhook.test': TestEventData;
};
export declare const EVENT_TYPES: readonly (keyof EventData)[];
