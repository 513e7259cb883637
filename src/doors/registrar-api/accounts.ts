import type { Static } from 'typebox';
import { entryKinds } from '../../ledger/entry-kinds.ts';
import { accountState, ENTRY, transactions } from '../../ledger/transactions.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import { type Columns, namedColumns } from '../../platform/sql/columns.ts';
import type { Database } from '../../platform/database/database.ts';
import { compactObject, type Fragment, sql } from '../../platform/sql/statement.ts';
import { parseDay } from '../../platform/values/dates.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import type { Context } from '../../registry/operation.ts';
import { type Answer, JsonStream } from '../http/http-answer.ts';
import { Type } from '../http/schema-builder.ts';
import { PeriodUnit } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { refusal } from './registrar-api-refusals.ts';
import { flag, Money, orNull, Strict, Text } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const Transaction = Type.Object(
  {
    created_at: Type.String(),
    description: Type.String(),
    type: Type.Enum(['debit', 'credit']),
    sum: Money,
    balance: Money,
    id: Type.Integer({ description: 'of two transactions the younger has the higher one' }),
    operation: Type.Enum([...entryKinds], { description: 'what was booked' }),
    domain: orNull(Type.String(), 'that was registered or renewed'),
    period: orNull(Type.Integer(), 'by which it was, as a number of units'),
    period_unit: orNull(PeriodUnit, 'unit of the period'),
    invoice_number: orNull(Type.Integer(), 'of the invoice that was paid or refunded'),
    request_id: orNull(Type.String(), 'of your request, as its answer had it'),
    idempotency_key: orNull(Type.String(), 'of your request'),
  },
  { 'x-component': 'Transaction' },
);

export const BalanceQuery = Strict({
  detailed: flag('with the transactions'),
  from: Type.Optional(Text('only transactions of this day and later, yyyy-mm-dd')),
  until: Type.Optional(Text('only transactions before this day, yyyy-mm-dd')),
});

const TRANSACTION = {
  created_at: ENTRY.at,
  description: ENTRY.description,
  type: ENTRY.direction,
  sum: ENTRY.amount,
  balance: ENTRY.balance,
};
const transactionJson = (members: Columns): Fragment => sql`${compactObject(namedColumns(members))}::text`;

const TRANSACTION_JSON = transactionJson({
  ...TRANSACTION,
  id: ENTRY.id,
  operation: ENTRY.operation,
  domain: ENTRY.domain,
  period: ENTRY.period,
  period_unit: ENTRY.periodUnit,
  invoice_number: ENTRY.invoiceNumber,
  request_id: ENTRY.requestId,
  idempotency_key: ENTRY.idempotencyKey,
});
/** With what the incumbent tells too. */
export const EXTENDED_TRANSACTION_JSON = transactionJson({
  ...TRANSACTION,
  currency: ENTRY.currency,
  updator: ENTRY.user,
});

export async function answerBalance(
  { database, policy }: Dependencies,
  { detailed = false, from, until }: Static<typeof BalanceQuery>,
  { principal }: Pick<Context, 'principal'>,
  item: Fragment = TRANSACTION_JSON,
): Promise<Answer> {
  requireNone([...checkDay('from', from), ...checkDay('until', until)]);
  const { registrarId } = principal;
  const { balance, debt, currency } = await accountState(database.reads, registrarId);
  const owed = BigInt(debt) > 0n ? { debt: toDecimal(BigInt(debt)) } : {};
  const data = { balance: toDecimal(BigInt(balance)), currency, ...owed };
  if (!detailed) return { data };
  const pages = transactions(database.replicaLists, registrarId, { from, until }, policy, item);
  const turn = (admitted: boolean) => inListTurn(database, principal, () => pages.next(), { admitted });
  const first = await turn(false);
  const rest = () => turn(true);
  return { data: new JsonStream(withTransactions(JSON.stringify(data), first.value ?? [], rest)) };
}

export function accountEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  return [
    endpoint({
      id: 'readBalance',
      method: 'GET',
      path: '/accounts/balance',
      group: 'Billing',
      summary: 'The balance, and with detailed=true the transactions, newest first',
      right: 'money',
      query: BalanceQuery,
      data: Type.Object(
        {
          balance: Money,
          currency: Type.String(),
          debt: Type.Optional(Money),
          transactions: Type.Optional(Type.Array(Transaction)),
        },
        { additionalProperties: false },
      ),
      refusals: [],
      example: { query: { detailed: true }, data: balanceExample },
      handle: ({ query, context }) => answerBalance({ database, policy }, query, context),
    }),
  ];
}

const balanceExample = {
  balance: '99991.00',
  currency: 'EUR',
  transactions: [
    {
      created_at: '2026-11-15T10:00:00.000+02:00',
      description: 'Create example.ee',
      type: 'debit',
      sum: '-9.00',
      balance: '99991.00',
      id: 18,
      operation: 'create',
      domain: 'example.ee',
      period: 1,
      period_unit: 'y',
      invoice_number: null,
      request_id: '0d6a9f0e-53a1-4b0e-9a57-3f4d2f0c8a11',
      idempotency_key: 'order-4711',
    },
    {
      created_at: '2026-11-15T09:00:00.000+02:00',
      description: 'Opening balance',
      type: 'credit',
      sum: '100000.00',
      balance: '100000.00',
      id: 1,
      operation: 'opening',
      domain: null,
      period: null,
      period_unit: null,
      invoice_number: null,
      request_id: null,
      idempotency_key: null,
    },
  ],
};

function checkDay(field: string, text: string | undefined): Refusal[] {
  return text === undefined || parseDay(text)
    ? []
    : [refusal('wrongSyntax', { field, expected: 'a day yyyy-mm-dd' })];
}

async function* withTransactions(
  object: string,
  first: readonly string[],
  rest: () => Promise<IteratorResult<string[]>>,
): AsyncGenerator<string> {
  yield `${object.slice(0, -1)},"transactions":[${first.join(',')}`;
  for (let page = await rest(); !page.done; page = await rest())
    if (page.value.length > 0) yield `,${page.value.join(',')}`;
  yield ']}';
}
