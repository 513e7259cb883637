import { inTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Billing, Caller } from '../context.ts';
import { refuse } from '../refusals.ts';
import { canBecome, type Status } from './invoice.ts';
import { becomeElsewhere } from './status.ts';

export const depositStatuses = {
  prepayment: 'unpaid',
  paid: 'paid',
  returned: 'refunded',
} as const satisfies Record<string, Status>;
export type DepositStatus = keyof typeof depositStatuses;

export type DepositStatusInput = {
  readonly domainName: string;
  readonly userUuid: string;
  readonly status: DepositStatus;
};

/** POST deposit_status: what happened to a deposit elsewhere. */
export function setDepositStatus(
  billing: Billing,
  caller: Caller,
  input: DepositStatusInput,
): Promise<Outcome> {
  const { domainName, userUuid, status } = input;
  return runOperation(
    billing.database,
    inTransaction({
      transact: async (db) => {
        const deposits = await db.rows(sql<Deposit>`
        select number, status from invoices
        where initiator = ${caller.initiator} and deposit_domain = ${domainName.toLowerCase()} and deposit_user = ${userUuid}
        order by number desc limit ${MOST_LOOKED_AT}`);
        const to = depositStatuses[status];
        const found = meant(deposits, to) ?? refuse('depositMissing', { domain: domainName, user: userUuid });
        await becomeElsewhere(db, billing, { actor: caller.initiator, now: caller.now }, found.number, to);
        return { message: 'Status updated' };
      },
    }),
    caller,
  );
}

type Deposit = { readonly number: number; readonly status: Status };
/** Somebody who begins over and over pays one of his last attempts. */
const MOST_LOOKED_AT = 100;

/**
 * Of several deposits for one auction and user the last counts, unless an earlier one is what the status can be about:
 * whoever has begun twice may pay the first. What the last has become already, no earlier one becomes by a repetition.
 */
function meant(deposits: readonly Deposit[], to: Status): Deposit | undefined {
  const last = deposits.find(({ status }) => status !== 'cancelled') ?? deposits[0];
  if (last?.status === to) return last;
  return deposits.find(({ status }) => canBecome(status, to)) ?? last;
}
