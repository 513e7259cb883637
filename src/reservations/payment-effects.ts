import type { Effects } from '../billing/payments/apply-payment-update.ts';
import type { Policy } from '../policy/policy.ts';
import { moveTopUp } from '../registry/registrars/registrar-money.ts';
import { applyInvoiceChanges } from './apply-invoice-changes.ts';

/** Effects of payments on other modules: a registrar's account moves, and names are granted or released. */
export const effectsOf = (policy: Policy): Effects => ({
  moveRegistrarMoney: moveTopUp,
  invoicesChanged: applyInvoiceChanges(policy),
});
