import { catalogue as common } from '../operations/common-refusals.ts';
import { type Catalogue, defineRefusals } from '../operations/refusal.ts';

/** Every place in a command of billing that a refusal is about. */
export type BillingPath =
  | readonly ['number' | 'amount' | 'description' | 'status' | 'returnUrl' | 'invoice' | 'invoices']
  | readonly ['buyer', 'name' | 'registryCode'];

/**
 * All refusals of billing. Texts about a field of the billing API continue the name of the field; those of operator
 * commands are whole sentences.
 */
export const catalogue = {
  invoiceMissing: {
    code: 2303,
    kind: 'missing',
    text: 'Invoice with {number} number not found',
    when: 'no invoice of the caller has this number',
  },
  invoiceNotInternal: {
    code: 2303,
    kind: 'missing',
    text: 'Invoice with {number} not found in internal system',
    when: 'a payment is begun for an invoice that the caller does not have',
  },
  depositMissing: {
    code: 2303,
    kind: 'missing',
    text: 'Invoice with {domain} and {user} not found',
    when: 'the caller has no deposit for this auction and user',
  },
  depositNamesNoAuction: {
    code: 2005,
    kind: 'rule',
    text: 'names no auction; it must be auction_deposit <domain>, user_uuid <uuid>, user_email <email>',
    when: 'the description of a deposit is of another form',
  },
  depositTwice: {
    code: 2302,
    kind: 'rule',
    text: 'the user has a deposit for this auction already: invoice {number} is {status}',
    when: 'a second deposit of a user for an auction is begun while the first is paid or can be paid',
  },
  numberNotYours: {
    code: 2306,
    kind: 'rule',
    text: 'was not handed out to you',
    when: 'an invoice is generated under a number of somebody else',
  },
  issuedOverOther: {
    code: 2306,
    kind: 'rule',
    text: 'the invoice was issued over {amount}',
    when: 'an invoice is generated again with another amount',
  },
  statusUnreachable: {
    code: 2304,
    kind: 'rule',
    text: 'an invoice that is {status} cannot become {wanted}',
    when: 'the status of an invoice does not allow the change',
  },
  bulkPartSettled: {
    code: 2304,
    kind: 'rule',
    text: 'invoice {number} is {status} already',
    when: 'an invoice that a bulk invoice pays for cannot be paid any more',
  },
  notInvoiceNumber: {
    code: 2005,
    kind: 'rule',
    text: '{text} is no invoice number',
    when: 'a bulk payment names something else than an invoice',
  },
  invoiceTwice: {
    code: 2306,
    kind: 'rule',
    text: 'names an invoice twice',
    when: 'a bulk payment names an invoice twice',
  },
  tooManyInvoices: {
    code: 2004,
    kind: 'rule',
    text: 'names more than {most} invoices',
    when: 'a bulk payment names too many invoices',
  },
  bulkPartMissing: {
    code: 2303,
    kind: 'rule',
    text: 'there is no invoice {numbers}',
    when: 'a bulk payment names an invoice that the caller does not have',
  },
  bulkPartUnpayable: {
    code: 2304,
    kind: 'rule',
    text: 'invoice {number} is {status}',
    when: 'a bulk payment names an invoice that cannot be paid',
  },
  sumDiffers: {
    code: 2306,
    kind: 'rule',
    text: 'the invoices come to {total}',
    when: 'the amount of a bulk payment is not that of its invoices',
  },
  buyerNumberMissing: {
    code: 2003,
    kind: 'rule',
    text: 'is missing: an e-invoice is addressed by it',
    when: 'an e-invoice is ordered for a buyer without a registration number',
  },
  buyerNameMissing: {
    code: 2003,
    kind: 'rule',
    text: 'is missing',
    when: 'an e-invoice is ordered for a buyer without a name',
  },
  unfitForEInvoice: {
    code: 2306,
    kind: 'rule',
    text: 'makes no e-invoice: {complaint}',
    when: 'the operator of e-invoices would refuse the document',
  },
  bulkInvoiceNamed: {
    code: 2306,
    kind: 'rule',
    text: 'invoice {number} is a bulk invoice; name those that it pays for',
    when: 'a document is ordered for a bulk invoice',
  },
  invoiceCancelled: {
    code: 2304,
    kind: 'rule',
    text: 'invoice {number} is cancelled',
    when: 'a document is ordered for a cancelled invoice',
  },
  otherVatDemanded: {
    code: 2306,
    kind: 'rule',
    text: 'invoice {number} bears {vatPercent} % VAT of {country}; its buyer demands the VAT code {demanded}',
    when: 'an invoice is sent to accounting for a buyer whose country and VAT number demand another VAT',
  },
  bulkHasNoDocument: {
    code: 2306,
    kind: 'rule',
    text: 'is that of a bulk invoice, which is a way to pay others',
    when: 'a UBL document is read of a bulk invoice',
  },
  refundUnderWay: {
    code: 2304,
    kind: 'rule',
    text: 'a refund by the provider is under way',
    when: 'an invoice is declared refunded while a refund waits',
  },
  returnNotAllowed: {
    code: 2306,
    kind: 'rule',
    text: 'this url not supported',
    when: 'a payer would be sent back to an address outside the list',
  },
  invoiceNotPayable: {
    code: 2304,
    kind: 'rule',
    text: 'the invoice is {status}',
    when: 'a payment is begun for an invoice that cannot be paid',
  },
  invoiceHeld: {
    code: 2304,
    kind: 'rule',
    text: 'a payment of the invoice is held for manual review',
    when: 'a payment is begun for an invoice while another payment of it waits for an operator',
  },
  bulkPartHeld: {
    code: 2304,
    kind: 'rule',
    text: 'a payment of invoice {number} is held for manual review',
    when: 'a bulk payment names an invoice of which a payment waits for an operator',
  },
  paymentDeclined: {
    code: 2308,
    kind: 'rule',
    text: 'The payment provider refuses: {message} ({providerCode})',
    when: 'the payment provider refused the order',
  },
  noInvoiceNumber: {
    code: 2306,
    kind: 'rule',
    text: 'No invoice can be issued: the range of numbers is used up',
    when: 'every number of the range for invoices was handed out',
  },
  providerAway: {
    code: 2400,
    kind: 'unavailable',
    text: 'Command failed; invoices cannot be paid at the moment',
    when: 'the payment provider does not answer, or the registry is a copy that calls none',
  },
  providerMissing: {
    code: 2101,
    kind: 'rule',
    text: 'The registry has no payment provider',
    when: 'the operator has not set a payment provider up',
  },
  invoiceUnknown: {
    code: 2303,
    kind: 'rule',
    text: 'There is no invoice {number}.',
    when: 'an operator names an invoice that does not exist',
  },
  invoiceHasStatus: {
    code: 2304,
    kind: 'rule',
    text: 'Invoice {number} is {status}.',
    when: 'an operator assigns money to or refunds an invoice whose status does not allow it',
  },
  entryAmountDiffers: {
    code: 2306,
    kind: 'rule',
    text: 'Invoice {number} is over {invoiced}, the entry over {received}.',
    when: 'a bank entry is assigned to an invoice over another amount',
  },
  entryTakenBack: {
    code: 2306,
    kind: 'rule',
    text: 'The bank took it back: name the invoice that it had paid.',
    when: 'a debit of the bank is assigned to a registrar',
  },
  entryCurrencyDiffers: {
    code: 2306,
    kind: 'rule',
    text: 'Accounts are kept in {currency}, the entry is in {received}.',
    when: 'a bank entry in another currency is assigned to a registrar',
  },
  registrarUnknown: {
    code: 2303,
    kind: 'rule',
    text: 'There is no registrar {code}.',
    when: 'a bank entry is assigned to a registrar that does not exist',
  },
  entryUnknown: {
    code: 2303,
    kind: 'rule',
    text: 'The bank told of nothing that has the number {id}.',
    when: 'an operator names a bank entry that does not exist',
  },
  entryHasStatus: {
    code: 2304,
    kind: 'rule',
    text: 'Bank entry {id} is {status}.',
    when: 'the status of a bank entry does not allow the change',
  },
  entryIsReversal: {
    code: 2306,
    kind: 'rule',
    text: 'It is money of ours that came back: it can only be set aside.',
    when: 'a returned payment of the registry is assigned',
  },
  notTakenBack: {
    code: 2304,
    kind: 'rule',
    text: '{reason}.',
    when: 'the payment of an invoice cannot be taken back',
  },
  nothingHeld: {
    code: 2303,
    kind: 'rule',
    text: 'Nothing is held under {id}.',
    when: 'an operator names a held payment that does not exist or is resolved',
  },
  resolutionImpossible: {
    code: 2306,
    kind: 'rule',
    text: 'What is held under {id} can only be resolved by {possible}.',
    when: 'the kind of a held payment does not allow the resolution',
  },
  nothingLeftToRefund: {
    code: 2304,
    kind: 'rule',
    text: 'Nothing is left of it that could be paid back.',
    when: 'a refused refund is ordered again after the money went back otherwise',
  },
  paymentForSeveral: {
    code: 2306,
    kind: 'rule',
    text: 'It is a payment for several invoices: nobody can tell whose part it is.',
    when: 'a payment for several invoices is to be accepted',
  },
  refundOfItUnderWay: {
    code: 2304,
    kind: 'rule',
    text: 'A refund of it is under way.',
    when: 'a payment is to be accepted while a refund is under way',
  },
  nothingToBook: {
    code: 2304,
    kind: 'rule',
    text: 'Nothing stands at the provider that could be booked.',
    when: 'a held payment is accepted after the provider returned it',
  },
  nothingToPayBack: {
    code: 2304,
    kind: 'rule',
    text: 'Nothing stands at the provider that could be paid back.',
    when: 'a held payment is refunded after the provider returned it',
  },
  paymentNotKnown: {
    code: 2306,
    kind: 'rule',
    text: 'Invoice {number} was imported as paid; nothing is known of its payment.',
    when: 'an imported invoice is to be refunded',
  },
  notPaidByProvider: {
    code: 2306,
    kind: 'rule',
    text: 'Invoice {number} was not paid through the provider.',
    when: 'an invoice that was paid outside the provider is to be refunded by it',
  },
  refundOrdered: {
    code: 2304,
    kind: 'rule',
    text: 'A refund of invoice {number} is under way already.',
    when: 'a refund is ordered twice',
  },
} as const satisfies Catalogue;

const all = { ...common, ...catalogue };
const maker = defineRefusals<typeof all, BillingPath>(all);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;

/** Whether billing defines this refusal. */
export const isBillingRefusal = (name: string): boolean => Object.hasOwn(catalogue, name);
