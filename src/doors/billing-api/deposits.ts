import {
  type DepositStatus,
  depositStatuses,
  prepayDeposit,
  setDepositStatus,
} from '../../billing/invoices/deposit.ts';
import { perform } from '../http/perform.ts';
import { Type } from '../http/schema-builder.ts';
import {
  type BillingDependencies,
  type BillingEndpoint,
  checkInitiator,
  endpoint,
  parsed,
} from './endpoint.ts';
import { linkExample, Payment, paymentExample, paymentOf } from './invoices.ts';
import { renderPayment, renderStatusUpdated } from './render-results.ts';
import { Done, OneoffLink, Text } from './schemas.ts';

const STATUSES = Object.keys(depositStatuses) as DepositStatus[];

/** deposit_prepayment and deposit_status, called by the auction. */
export function depositEndpoints({ billing }: BillingDependencies): BillingEndpoint[] {
  const group = 'Deposits';
  return [
    endpoint({
      group,
      id: 'prepayDeposit',
      method: 'POST',
      path: '/invoice_generator/deposit_prepayment',
      summary: 'An invoice over a deposit, and a link to pay it',
      status: 201,
      body: Payment,
      parse: (body, { caller }) => {
        const { input, wrong } = paymentOf(body);
        return parsed(input, checkInitiator('custom_field2', body.custom_field2, caller), wrong);
      },
      data: OneoffLink,
      refusals: [
        'depositNamesNoAuction',
        'depositTwice',
        'returnNotAllowed',
        'paymentDeclined',
        'providerAway',
        'noInvoiceNumber',
      ],
      example: {
        body: {
          ...paymentExample,
          description: 'auction_deposit oksjon.ee, user_uuid 0f2a, user_email mari@example.ee',
        },
        data: linkExample,
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderPayment }, (keyed) => prepayDeposit(billing, keyed, input)),
    }),

    endpoint({
      group,
      id: 'setDepositStatus',
      method: 'POST',
      path: '/invoice_generator/deposit_status',
      summary: 'Tell what became of a deposit elsewhere',
      body: Type.Object(
        {
          domain_name: Text('the domain that the auction is about'),
          user_uuid: Text('who takes part in it'),
          status: Type.Enum(STATUSES),
        },
        { 'x-component': 'DepositStatusChange' },
      ),
      parse: ({ domain_name: domainName = '', user_uuid: userUuid = '', status = 'paid' }) =>
        parsed({ domainName, userUuid, status }),
      data: Done,
      refusals: ['depositMissing', 'statusUnreachable', 'refundUnderWay'],
      example: {
        body: { domain_name: 'oksjon.ee', user_uuid: '0f2a', status: 'paid' },
        data: { message: 'Status updated' },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderStatusUpdated }, (keyed) => setDepositStatus(billing, keyed, input)),
    }),
  ];
}
