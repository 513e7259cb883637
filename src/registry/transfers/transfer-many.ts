import { type Refusal, Refused } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/sql/database.ts';
import { countWrongCodes, tooMany, WrongCode } from '../access/wrong-codes.ts';
import type { Context } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { runRegistryTransaction } from '../run-operation.ts';
import { type Found, lockDomains, refuseTransfer, transferDomains, type Wish } from './transfer.ts';

type Failure = { readonly name: string; readonly reason: Refusal; readonly wrongCode?: WrongCode };
type Judged = { readonly accepted: ReadonlyMap<string, Found>; readonly failures: readonly Failure[] };

/** Each of the wishes by itself, though all that can be fulfilled are in one transaction. */
export function transferMany(
  database: Database,
  wishes: readonly Wish[],
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const domains = await lockDomains(db, [...new Set(wishes.map(({ name }) => name))], context);
    const { accepted, failures } = decideTransfers(wishes, domains, context);
    const wrong = failures.flatMap(({ wrongCode }) => wrongCode ?? []);
    const tooLate = new Set(await countWrongCodes(db, wrong, context));
    await transferDomains(db, [...accepted.values()], context);
    return {
      success: [...accepted.keys()].map((name) => ({ type: 'domain_transfer', domain_name: name })),
      failed: failures.map(({ name, reason, wrongCode }) => {
        const { code, message } =
          wrongCode && tooLate.has(wrongCode) ? tooMany({ secondsLeft: null }) : reason;
        return { type: 'domain_transfer', domain_name: name, errors: { code: String(code), msg: message } };
      }),
    };
  });
}

/** A guess counts for those that stand behind it: many in one request are as many as one by one. */
export function decideTransfers(
  wishes: readonly Wish[],
  domains: ReadonlyMap<string, Found>,
  context: Context,
): Judged {
  const accepted = new Map<string, Found>();
  const failures: Failure[] = [];
  const guesses = new Map<string, number>();
  for (const wish of wishes) {
    const { name } = wish;
    const found = domains.get(name);
    const failure = accepted.has(name)
      ? { name, reason: refusal('domainTwice', { name }) }
      : refuseOne(found, guesses.get(name) ?? 0, wish, context);
    if (failure) failures.push(failure);
    else if (found) accepted.set(name, found);
    if (failure?.wrongCode) guesses.set(name, (guesses.get(name) ?? 0) + 1);
  }
  return { accepted, failures };
}

function refuseOne(
  found: Found | undefined,
  guesses: number,
  wish: Wish,
  context: Context,
): Failure | undefined {
  const { name } = wish;
  if (!found) return { name, reason: refusal('objectMissing') };
  const wrongCodes = { ...found.wrongCodes, count: found.wrongCodes.count + guesses };
  try {
    refuseTransfer({ ...found, wrongCodes }, wish, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [reason] = error.refusals;
    return error instanceof WrongCode ? { name, reason, wrongCode: error } : { name, reason };
  }
}
