import { runTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Billing, Caller } from '../context.ts';
import { beginAttempt, recordingAttempt, refuseOtherReturn } from '../payments/attempt.ts';
import { cancelUnstarted } from './cancel.ts';
import { issueGross } from './issue.ts';
import { takeNumber } from './numbers.ts';

export type DepositInput = {
  readonly customerUrl: string;
  readonly description: string;
  readonly amount: Cents;
  readonly referenceNumber: string | null;
};

/** POST deposit_prepayment: an invoice of its own over a deposit, and a link to pay it. */
export function prepayDeposit(billing: Billing, caller: Caller, input: DepositInput): Promise<Outcome> {
  const { database, policy } = billing;
  const { customerUrl, description, amount, referenceNumber } = input;
  const prepare = async () => {
    refuseOtherReturn(billing, customerUrl);
    const number = await runTransaction(database.writes, caller.now, async (db) => {
      const taken = await takeNumber(db, 'deposit', caller.initiator, { policy, now: caller.now });
      const deposit = readDeposit(description);
      await issueGross(db, policy, caller, {
        ...{ number: taken, amount, description, deposit, referenceNumber, kind: 'deposit' },
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

/** Which auction it is for, and whose: written into the description by the auction. */
export function readDeposit(description: string) {
  const { domain, user, email } = DEPOSIT.exec(description)?.groups ?? {};
  return domain && user ? { domain: domain.toLowerCase(), user, email: email ?? null } : undefined;
}
