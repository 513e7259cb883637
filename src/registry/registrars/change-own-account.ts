import type { OperatorContext } from '../../operations/operator-operation.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Cents } from '../../platform/values/money.ts';
import { actorOf } from '../actor.ts';
import type { Context } from '../operation.ts';
import { runRegistryTransaction } from '../run-registry-operation.ts';
import { readOwnAccount } from './own-account.ts';
import { setLowBalance } from './set-low-balance.ts';
import type { AutomaticTopUp } from './set-top-up.ts';
import { setTopUp } from './set-top-up.ts';

/** What happens when the balance runs low; undefined is nothing. */
export type AccountSettings = {
  readonly lowBalance: Cents | undefined;
  readonly topUp: AutomaticTopUp | undefined;
};

/** A registrar changes its own warning and automatic invoice. What stays as it was is not recorded as changed. */
export const changeOwnAccount = (
  database: Database,
  { lowBalance, topUp }: AccountSettings,
  context: Context,
): Promise<Outcome<AccountSettings>> =>
  runRegistryTransaction(database, context, async (db) => {
    const { principal, now, policy } = context;
    const code = principal.registrarCode;
    const before = await readOwnAccount(db, principal);
    const author: OperatorContext = {
      actor: actorOf(principal),
      registrarId: principal.registrarId,
      now,
      policy,
      dryRun: false,
    };
    const isSame = (cents: Cents | undefined, old: string | null) => (cents?.toString() ?? null) === old;
    const isLowBalanceSame = isSame(lowBalance, before.lowBalance);
    const isTopUpSame =
      isSame(topUp?.amount, before.topUpAmount) && isSame(topUp?.threshold, before.topUpThreshold);
    if (!isLowBalanceSame) await setLowBalance.within(db, { code, threshold: lowBalance }, author);
    if (!isTopUpSame) await setTopUp.within(db, { code, topUp }, author);
    return { lowBalance, topUp };
  });
