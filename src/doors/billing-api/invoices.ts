import type { Billing } from '../../billing/context.ts';
import { payInBulk } from '../../billing/invoices/bulk.ts';
import { generateInvoice } from '../../billing/invoices/generate.ts';
import { statuses } from '../../billing/invoices/invoice.ts';
import { takeNumber } from '../../billing/invoices/numbers.ts';
import { setInvoiceStatus } from '../../billing/invoices/status.ts';
import { payOnce } from '../../billing/payments/attempt.ts';
import { inTransaction } from '../../operations/in-transaction.ts';
import { runOperation } from '../../operations/run-operation.ts';
import { Fields } from './fields.ts';
import type { BillingRoute } from './route.ts';

/** invoice_generator, oneoff, bulk_payment, invoice_number_generator and invoice_status. */
export function invoiceRoutes(billing: Billing): BillingRoute[] {
  const { database, policy } = billing;
  return [
    {
      path: '/invoice_generator/invoice_number_generator',
      status: 201,
      handle: (_body, caller) =>
        runOperation(
          database,
          inTransaction({
            transact: async (db) => {
              const number = await takeNumber(db, 'regular', caller.initiator, { policy, now: caller.now });
              return { message: `Number created; ${number}`, invoice_number: number };
            },
          }),
          caller,
        ),
    },
    {
      path: '/invoice_generator/invoice_generator',
      status: 201,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('custom_field2', caller.initiator);
        const input = {
          invoiceNumber: fields.invoiceNumber('invoice_number', { orNumber: true }),
          amount: fields.amount('transaction_amount', { orNumber: true }),
          customerName: fields.optionalText('customer_name'),
          customerEmail: fields.optionalText('customer_email'),
          customField1: fields.optionalText('custom_field1'),
          referenceNumber: fields.optionalText('reference_number'),
          reservedDomainNames: fields.texts('reserved_domain_names'),
        };
        return generateInvoice(billing, caller, fields.done(input));
      },
    },
    {
      path: '/invoice_generator/oneoff',
      status: 201,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('custom_field2', caller.initiator);
        const input = {
          invoiceNumber: fields.invoiceNumber('invoice_number'),
          customerUrl: fields.text('customer_url'),
          referenceNumber: fields.optionalText('reference_number'),
        };
        return payOnce(billing, caller, fields.done(input));
      },
    },
    {
      path: '/invoice_generator/bulk_payment',
      status: 201,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('custom_field2', caller.initiator, { required: true });
        return payInBulk(billing, caller, fields.done(readPayment(fields)));
      },
    },
    {
      path: '/invoice_generator/invoice_status',
      status: 200,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        const input = {
          invoiceNumber: fields.invoiceNumber('invoice_number', { orNumber: true }),
          status: fields.oneOf('status', statuses),
        };
        return setInvoiceStatus(billing, caller, fields.done(input));
      },
    },
  ];
}

/** What a bulk payment and a deposit have in common. */
export const readPayment = (fields: Fields) => ({
  customerUrl: fields.text('customer_url'),
  description: fields.text('description'),
  amount: fields.amount('transaction_amount'),
  referenceNumber: fields.optionalText('reference_number'),
});
