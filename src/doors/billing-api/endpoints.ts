import { depositEndpoints } from './deposits.ts';
import type { BillingDependencies, BillingEndpoint } from './endpoint.ts';
import { exportEndpoints } from './exports.ts';
import { importEndpoints } from './imports.ts';
import { invoiceEndpoints } from './invoices.ts';
import { invoiceReadingEndpoints } from './read-invoices.ts';
import { referenceEndpoints } from './references.ts';

/** Every call of the billing API that needs a token. */
export const billingEndpoints = (dependencies: BillingDependencies): BillingEndpoint[] => [
  ...invoiceEndpoints(dependencies),
  ...invoiceReadingEndpoints(dependencies),
  ...depositEndpoints(dependencies),
  ...referenceEndpoints(dependencies),
  ...importEndpoints(dependencies),
  ...exportEndpoints(dependencies),
];
