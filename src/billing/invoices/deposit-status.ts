import type { Billing, Caller } from '../context.ts';
import { type Outcome, once } from '../once.ts';
import { refuseMissing } from '../refusals.ts';
import type { Status } from './invoice.ts';
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

/** POST deposit_status: what happened to a deposit elsewhere; of several for one auction and user the last counts. */
export function setDepositStatus(
  billing: Billing,
  caller: Caller,
  input: DepositStatusInput,
): Promise<Outcome> {
  const { domainName, userUuid, status } = input;
  return once(billing.database, caller, (write) =>
    write(async (sql) => {
      const [found] = await sql<{ number: number }[]>`
        select number from invoices
        where initiator = ${caller.initiator} and deposit_domain = ${domainName.toLowerCase()} and deposit_user = ${userUuid}
        order by number desc limit 1`;
      if (!found) return refuseMissing(`Invoice with ${domainName} and ${userUuid} not found`);
      await becomeElsewhere(sql, billing, caller, found.number, depositStatuses[status]);
      return { message: 'Status updated' };
    }),
  );
}
