import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Cents } from '../../platform/values/money.ts';
import { actorOf } from '../actor.ts';
import type { Context } from '../operation.ts';
import { runRegistryTransaction } from '../run-registry-operation.ts';
import { readOwnAccount } from './own-account.ts';
import { type AutomaticTopUp, setLowBalance, setTopUp } from './registrars.ts';

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
    const { principal, now } = context;
    const before = await readOwnAccount(db, principal);
    const change = { actor: actorOf(principal), at: now };
    const isSame = (cents: Cents | undefined, old: string | null) => (cents?.toString() ?? null) === old;
    const isLowBalanceSame = isSame(lowBalance, before.lowBalance);
    const isTopUpSame =
      isSame(topUp?.amount, before.topUpAmount) && isSame(topUp?.threshold, before.topUpThreshold);
    if (!isLowBalanceSame) await setLowBalance(db, principal.registrarCode, lowBalance, change);
    if (!isTopUpSame) await setTopUp(db, principal.registrarCode, topUp, change);
    return { lowBalance, topUp };
  });
