import { inTransaction, runTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { refuse } from '../billing-refusals.ts';
import type { Billing, Caller } from '../context.ts';
import {
  beginAttempt,
  recordingAttempt,
  requireAllowedReturn,
  type StartedPayment,
} from '../payments/payment-attempt.ts';
import { cancelUnstarted } from './cancel-unstarted.ts';
import { canBecome, type Initiator, isPayable, type Status } from './invoice.ts';
import { allocateNumber, issueGross } from './issue.ts';
import { lineTexts } from './line-texts.ts';
import { setStatusByExternalPayment } from './set-invoice-status.ts';

export type DepositInput = {
  readonly customerUrl: string;
  readonly description: string;
  readonly amount: Cents;
  readonly referenceNumber: string | null;
};

/** POST deposit_prepayment: issues an invoice for a deposit and returns a link to pay it. */
export function prepayDeposit(
  billing: Billing,
  caller: Caller,
  input: DepositInput,
): Promise<Outcome<StartedPayment>> {
  const { database, policy } = billing;
  const { customerUrl, description, amount, referenceNumber } = input;
  const prepare = async () => {
    requireAllowedReturn(billing, customerUrl);
    const deposit = readDeposit(description) ?? refuse('depositNamesNoAuction', { at: ['description'] });
    const number = await runTransaction(database.writes, caller.now, async (db) => {
      // The number's range stays locked until this transaction ends, so that of two deposits one sees the other.
      const taken = await allocateNumber(db, 'deposit', caller.initiator, { policy, now: caller.now });
      const standing = standingDeposit(await depositsOf(db, caller.initiator, deposit));
      if (standing) refuse('depositTwice', { at: ['description'], ...standing });
      await issueGross(db, policy, caller, {
        number: taken,
        amount,
        description,
        deposit,
        referenceNumber,
        kind: 'deposit',
        lineTexts: [lineTexts.deposit(deposit.domain)],
      });
      return taken;
    });
    const attempt = await cancelUnstarted(billing, caller, number, () =>
      beginAttempt(billing, { number, amount }, { customerUrl, referenceNumber }),
    );
    return { number, attempt };
  };
  return runOperation(database, recordingAttempt(prepare, customerUrl, caller), caller);
}

const DEPOSIT =
  /^auction_deposit\s+(?<domain>[^,\s]{1,255}),\s*user_uuid\s+(?<user>[^,\s]{1,255})(?![^,\s])(?:,\s*user_email\s+(?<email>[^,\s]+))?/;

/** The auction and the user, parsed from the description that the auction wrote. */
export function readDeposit(description: string) {
  const { domain, user, email } = DEPOSIT.exec(description)?.groups ?? {};
  return domain && user ? { domain: domain.toLowerCase(), user, email: email ?? null } : undefined;
}

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

/** POST deposit_status: records what happened to a deposit outside the provider. */
export function setDepositStatus(
  billing: Billing,
  caller: Caller,
  input: DepositStatusInput,
): Promise<Outcome<void>> {
  const { domainName, userUuid, status } = input;
  return runOperation(
    billing.database,
    inTransaction({
      transact: async (db) => {
        const domain = domainName.toLowerCase();
        const deposits = await depositsOf(db, caller.initiator, { domain, user: userUuid });
        const to = depositStatuses[status];
        const found =
          selectDeposit(deposits, to) ?? refuse('depositMissing', { domain: domainName, user: userUuid });
        await setStatusByExternalPayment(
          db,
          billing,
          { actor: caller.initiator, now: caller.now },
          found.number,
          to,
        );
      },
    }),
    caller,
  );
}

type Deposit = { readonly number: number; readonly status: Status };
/** A user with many attempts pays one of the most recent. */
const MAX_READ_LENGTH = 100;

/** The deposits of a user for an auction, the last one first. */
const depositsOf = (
  db: Sql,
  initiator: Initiator,
  { domain, user }: { readonly domain: string; readonly user: string },
): Promise<Deposit[]> =>
  db.rows(sql<Deposit>`
    select number, status from invoices
    where initiator = ${initiator} and deposit_domain = ${domain} and deposit_user = ${user}
    order by number desc limit ${MAX_READ_LENGTH}`);

/** The deposit that rules out another: one that is paid, or can still be. */
export const standingDeposit = (deposits: readonly Deposit[]): Deposit | undefined =>
  deposits.find((deposit) => deposit.status === 'paid' || isPayable(deposit));

/**
 * Of several deposits for one auction and user, as older versions allowed them, the last counts, unless only an earlier
 * one can reach the status. A repeated status of the last deposit never changes an earlier one.
 */
export function selectDeposit(deposits: readonly Deposit[], to: Status): Deposit | undefined {
  const last = deposits.find(({ status }) => status !== 'cancelled') ?? deposits[0];
  if (last?.status === to) return last;
  return deposits.find(({ status }) => canBecome(status, to)) ?? last;
}
