import type { BillingPath } from '../billing/billing-refusals.ts';
import type { OperatorBillingPath } from '../billing/operator-refusals.ts';
import { type Names, type NameTable, nameRefusal } from '../operations/named-refusal.ts';
import type { ReasonPath } from '../operations/reason.ts';
import type { Refusal } from '../operations/refusal.ts';
import type { RecoveryPath } from '../recovery/operator-refusals.ts';
import type { CertificatePath } from '../registry/certificates/certificate-refusals.ts';
import type { ContactPath } from '../registry/contacts/contact-paths.ts';
import type { OperatorPath } from '../registry/operator-refusals.ts';

/** Refusals as commands print them, in the names of their options. */
export const renderRefusals = (refusals: readonly Refusal[], names: NameTable): readonly string[] =>
  refusals.map((refusal) => {
    const { field, message } = nameRefusal(refusal, names);
    const [place] = refusal.at ?? [];
    // Texts about a buyer or a single invoice continue the name of the place.
    return place === 'buyer' || place === 'invoice' ? `${field} ${message}` : message;
  });

/** What commands of operations call the places of their inputs. */
export const OPERATOR_OPTIONS: Names<
  OperatorPath | CertificatePath | OperatorBillingPath | RecoveryPath | ReasonPath
> = {
  website: '--website',
  phone: '--phone',
  abuseEmail: '--abuse-email',
  abusePhone: '--abuse-phone',
  duration: '--for',
  code: '--code',
  invoice: 'the invoice',
  invoices: 'the invoices',
  'buyer.name': 'buyer_name',
  'buyer.registryCode': 'buyer_reg_no',
  invoiceNumbers: '--invoice-numbers',
  withoutRepair: '--without-repair',
  personName: '--name',
  email: 'the email address',
  username: 'the username',
  range: 'the range',
  port: '--port',
  purpose: '--purpose',
  replaces: '--replace',
  request: 'the request',
  until: '--until',
  'reason.text': '--reason',
  'reason.code': '--reason-code',
  'reason.forRegistrar': '--for-registrar',
  'reason.caseNumber': '--case',
};

export const CONTACT_OPTIONS: Names<ContactPath> = {
  code: 'the code',
  name: '--name',
  email: '--email',
  phone: '--phone',
  ident: '--ident',
  'ident.ident': '--ident',
  'ident.type': '--ident-type',
  'ident.countryCode': '--ident-country',
  address: '--address',
  'address.street': '--street',
  'address.street.#': '--street',
  'address.city': '--city',
  'address.state': '--state',
  'address.postalCode': '--postal-code',
  'address.countryCode': '--country',
  authInfo: '--auth-info',
  reference: null,
  'disclosedAttributes.#': '--disclose',
  legalDocument: '--legal-document',
  'legalDocument.type': '--legal-document-type',
  'addStatuses.#': '--add-status',
  'removeStatuses.#': '--remove-status',
};

/** What commands call the places of an export: texts about a buyer continue the name. */
export const EXPORT_NAMES: Names<BillingPath> = {
  number: 'the invoice',
  amount: 'the amount',
  description: 'the description',
  status: 'the status',
  returnUrl: 'the address to return to',
  'buyer.name': 'buyer_name',
  'buyer.registryCode': 'buyer_reg_no',
  invoice: 'the invoice',
  invoices: 'the invoices',
};
