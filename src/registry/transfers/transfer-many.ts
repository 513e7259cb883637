import type { Database } from '../../platform/database/database.ts';
import { rememberWrongCode, WrongCode } from '../access/wrong-codes.ts';
import type { Context } from '../operation.ts';
import type { Outcome } from '../perform.ts';
import { type Refusal, Refused, refusal } from '../refusals.ts';
import { performInTransaction } from '../transaction.ts';
import { type Found, lockDomains, refuseTransfer, transferDomains, type Wish } from './transfer.ts';

type Failure = { readonly name: string; readonly reason: Refusal; readonly wrongCode?: WrongCode };

/** Each of the wishes by itself, though all that can be fulfilled are in one transaction. */
export async function transferMany(
  database: Database,
  wishes: readonly Wish[],
  context: Context,
): Promise<Outcome> {
  const wrongCodes: WrongCode[] = [];
  const outcome = await performInTransaction(database, context, async (sql) => {
    wrongCodes.length = 0;
    const domains = await lockDomains(sql, [...new Set(wishes.map(({ name }) => name))], context);
    const accepted = new Map<string, Found>();
    const failures: Failure[] = [];
    for (const wish of wishes) {
      const found = domains.get(wish.name);
      const failure = accepted.has(wish.name)
        ? { name: wish.name, reason: refusal('domainTwice', { name: wish.name }) }
        : refuseOne(found, wish, context);
      if (failure) failures.push(failure);
      else if (found) accepted.set(wish.name, found);
    }
    wrongCodes.push(...failures.flatMap(({ wrongCode }) => wrongCode ?? []));
    await transferDomains(sql, [...accepted.values()], context);
    return {
      success: [...accepted.keys()].map((name) => ({ type: 'domain_transfer', domain_name: name })),
      failed: failures.map(({ name, reason }) => ({
        type: 'domain_transfer',
        domain_name: name,
        errors: { code: String(reason.code), msg: reason.message },
      })),
    };
  });
  // Those beyond the limit were told that their code is wrong; the next ones are not.
  await Promise.allSettled(
    wrongCodes.map((wrong) => rememberWrongCode(database.writes, wrong, context.now, context.policy)),
  );
  return outcome;
}

function refuseOne(found: Found | undefined, wish: Wish, context: Context): Failure | undefined {
  const { name } = wish;
  if (!found) return { name, reason: refusal('objectMissing') };
  try {
    refuseTransfer(found, wish, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [reason] = error.refusals;
    return error instanceof WrongCode ? { name, reason, wrongCode: error } : { name, reason };
  }
}
