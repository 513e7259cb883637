import { catalogue as billing } from '../../billing/billing-refusals.ts';
import { catalogue as common } from '../../operations/common-refusals.ts';
import { defineNamedRefusals } from '../../operations/named-refusal.ts';
import { catalogue as registry } from '../../registry/registry-refusals.ts';
import { catalogue as http } from '../http/request-refusals.ts';

const { noInvoiceNumber, providerAway, providerMissing } = billing;

/** Every refusal that this API can answer. */
export const catalogue = {
  ...common,
  ...http,
  ...registry,
  noInvoiceNumber,
  providerAway,
  providerMissing,
} as const;
export type RefusalName = keyof typeof catalogue;

const maker = defineNamedRefusals(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
