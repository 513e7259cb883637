import type { Billing } from '../../billing/context.ts';
import { prepayDeposit } from '../../billing/invoices/deposit.ts';
import {
  type DepositStatus,
  depositStatuses,
  setDepositStatus,
} from '../../billing/invoices/deposit-status.ts';
import { Fields } from './fields.ts';
import { readPayment } from './invoices.ts';
import type { BillingRoute } from './route.ts';

const STATUSES = Object.keys(depositStatuses) as DepositStatus[];

export function depositRoutes(billing: Billing): BillingRoute[] {
  return [
    {
      path: '/invoice_generator/deposit_prepayment',
      status: 201,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('custom_field2', caller.initiator, { required: true });
        return prepayDeposit(billing, caller, fields.done(readPayment(fields)));
      },
    },
    {
      path: '/invoice_generator/deposit_status',
      status: 200,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        const input = {
          domainName: fields.text('domain_name'),
          userUuid: fields.text('user_uuid'),
          status: fields.oneOf('status', STATUSES),
        };
        return setDepositStatus(billing, caller, fields.done(input));
      },
    },
  ];
}
