import { type Catalogue, defineRefusals } from '../operations/refusal.ts';

/** All refusals specific to the reservation API. */
export const catalogue = {
  noneAvailable: {
    code: 2302,
    kind: 'rule',
    text: 'No available domains',
    when: 'none of the names can be had',
  },
  invoiceNotPaid: {
    code: 2304,
    kind: 'rule',
    text: 'Invoice is not paid',
    when: 'the document of an unpaid invoice is requested',
  },
  tooManyNames: {
    code: 2004,
    kind: 'rule',
    text: 'The maximum number of domain names per request is {most}',
    when: 'a reservation names too many domains',
  },
  invalidOrganizationName: {
    code: 2005,
    kind: 'syntax',
    text: 'Invalid organization name',
    when: 'the name is empty, too long, or has other characters than letters, digits, spaces and hyphens',
  },
  invalidDomainNames: {
    code: 2005,
    kind: 'syntax',
    text: 'Invalid parameter: domain_names must be a non-empty array of valid domain names',
    when: 'domain_names is missing, empty, or holds what is no domain name',
  },
  invalidUserUniqueId: {
    code: 2005,
    kind: 'syntax',
    text: 'Invalid parameter: user_unique_id',
    when: 'user_unique_id has another form',
  },
  invalidInvoiceQuery: {
    code: 2005,
    kind: 'syntax',
    text: 'Invalid parameters: invoice_number and user_unique_id are required',
    when: 'invoice_number or user_unique_id is missing or has another form',
  },
  invalidCustomerName: {
    code: 2005,
    kind: 'syntax',
    text: 'Invalid parameter: customer_name',
    when: 'customer_name is too long or holds control characters',
  },
  reservationMissing: {
    code: 2303,
    kind: 'missing',
    text: 'Reserved domains not found. Invalid user_unique_id',
    when: 'no reservation has this id',
  },
  reservationInvoiceMissing: {
    code: 2303,
    kind: 'missing',
    text: 'Reserved domain invoice not found',
    when: 'no invoice for a reservation has this number and id',
  },
  portalUnauthorized: {
    code: 2202,
    kind: 'unauthenticated',
    text: 'Unauthorized',
    when: 'the token is not in force, or the address is not on the list',
  },
  portalRateExceeded: {
    code: 2502,
    kind: 'limited',
    text: 'Too many requests',
    when: 'the requests or failures per minute of a token or an address are used up',
  },
} as const satisfies Catalogue;
export type RefusalName = keyof typeof catalogue;

const maker = defineRefusals(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
