import { toDecimal } from '../../../platform/values/money.ts';
import type { Payment } from './payments.ts';

/** A payment as the API shows it. Open banking is the only way to pay here. */
export function onWire(
  payment: Payment,
  { user, account, link }: { user: string; account: string; link: string },
) {
  const { reference, state } = payment;
  const begun = state !== 'initial';
  return {
    account_name: account,
    order_reference: payment.orderReference,
    email: payment.email,
    customer_ip: payment.customerIp,
    customer_url: payment.customerUrl,
    payment_created_at: payment.createdAt.toISOString(),
    initial_amount: Number(toDecimal(payment.initialAmount)),
    standing_amount: Number(toDecimal(payment.standingAmount)),
    payment_reference: reference,
    payment_link: payment.customerUrl === null ? null : link,
    payment_methods: [
      { source: METHOD, display_name: 'LHV', country_code: 'EE', payment_link: link, logo_url: null },
    ],
    api_username: user,
    warnings: {},
    processing_error: state === 'failed' ? { code: 1002, message: 'The payer or the bank declined.' } : null,
    stan: null,
    fraud_score: null,
    payment_state: state,
    payment_method: begun ? METHOD : null,
    trace_id: reference.slice(0, 32),
    ob_details: begun ? openBanking(payment) : null,
    transaction_time: payment.transactionTime?.toISOString() ?? null,
    acquiring_completed_at: null,
    sca_exemption: null,
    ...(payment.customerData && { linkpay_customer_data: payment.customerData }),
  };
}

const METHOD = 'lhv_ob_ee';
const BANK_STATES: Readonly<Record<string, string>> = {
  failed: 'RJCT',
  abandoned: 'CANC',
  voided: 'CANC',
  waiting_for_sca: 'RCVD',
  sent_for_processing: 'PDNG',
};

const openBanking = ({ reference, state }: Payment) => ({
  debtor_iban: 'EE471000001020145685',
  creditor_iban: 'EE382200221020145685',
  ob_payment_reference: reference.slice(0, 16),
  ob_payment_state: BANK_STATES[state] ?? 'ACSC',
});
