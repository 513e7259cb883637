import { toDecimal } from '../../../platform/values/money.ts';
import { readRegistrarAccount } from '../../../registry/registrars/read-account.ts';
import { Type } from '../../http/schema-builder.ts';
import { answerBalance, BalanceQuery, EXTENDED_TRANSACTION_JSON } from '../accounts.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import type { CallDependencies } from './calls.ts';

export function accountCalls({ database, policy, described }: CallDependencies): RegistrarEndpoint[] {
  return [
    endpoint({
      ...described('readBalance'),
      path: '/accounts/balance',
      query: BalanceQuery,
      // Without the transactions the incumbent does not look at the days.
      handle: ({ query, context }) =>
        answerBalance({ database, policy }, query.detailed ? query : {}, context, EXTENDED_TRANSACTION_JSON),
    }),
  ];
}

const MAX_IBAN_LENGTH = 34;

/** Calls of the incumbent that have no counterpart here. They are in no document, and unknown to other registrars. */
export function accountDetailCalls({ database, policy }: CallDependencies): RegistrarEndpoint[] {
  return [
    endpoint({
      id: 'readAccountDetails',
      method: 'GET',
      path: '/accounts/details',
      group: 'Billing',
      summary: 'What the registry knows about the registrar, its users and their addresses',
      right: 'money',
      data: Type.Object({}),
      refusals: [],
      example: { data: {} },
      async handle({ context: { principal } }) {
        const { email, topUp, users, addresses } = await readRegistrarAccount(database.reads, principal);
        const registrar_name = principal.registrarName;
        return {
          data: {
            account: {
              billing_email: email,
              iban: null,
              iban_max_length: MAX_IBAN_LENGTH,
              linked_users: [],
              api_users: users.map((user) => ({ ...user, registrar_name })),
              white_ips: addresses,
              balance_auto_reload: topUp && { name: 'threshold', ...topUp },
              accept_pdf_invoices: true,
              min_deposit: toDecimal(policy.billing.leastTopUp),
            },
            roles: ['super', 'epp', 'billing'],
            interfaces: ['registrar', 'api'],
          },
        };
      },
    }),
  ];
}
