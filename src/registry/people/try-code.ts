import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { addressBucket } from '../../platform/values/ip-addresses.ts';
import { isKnownAddressOfPerson } from '../access/login-addresses.ts';
import { MAX_TRIES_OF_STEP } from './login-steps.ts';

/** Of a person: anyone who knows the password may begin another login after five wrong codes. */
const MAX_TRIES_PER_HOUR = 20;
/** All addresses at which the person is not known are counted together. */
const ELSEWHERE = 'elsewhere';

type Owner = {
  readonly personId: number;
  readonly emailKey: string;
  /** The secret of the code generator, as it is stored. */
  readonly stored: Buffer | null;
  /** Whether the person recently logged in from the client's address. */
  readonly isAddressKnown: boolean;
};
/** Where somebody goes after the login. */
export type CodeState = { readonly next: string };
export type CountedTry = Owner & CodeState;
export type TooManyTries = { readonly secondsToWait: number };

/**
 * Counts a try at the second factor before its code is verified. Undefined where the password has to be asked for
 * again. Tries at a known address are counted there alone, so that guesses from elsewhere never keep the person out.
 */
export async function tryCode(
  db: Pool,
  { token, address }: { readonly token: Buffer; readonly address: string },
  now: Date,
): Promise<CountedTry | TooManyTries | undefined> {
  return runTransaction(db, now, async (transaction) => {
    const owner = await lockOwner(transaction, token, address, now);
    if (!owner) return undefined;
    const place = owner.isAddressKnown ? addressBucket(address) : ELSEWHERE;
    const limited = await findLimit(transaction, owner.personId, place, now);
    if (limited) return limited;
    const state = await countTry(transaction, token, place);
    return state && { ...owner, ...state };
  });
}

/** Tries of one person are counted one after the other: concurrent ones would not see each other. */
const lockOwner = (db: Sql, token: Buffer, address: string, now: Date): Promise<Owner | undefined> =>
  db.maybe(sql<Owner>`
    select p.id as "personId", p.email_key as "emailKey", p.totp_secret as stored,
      ${isKnownAddressOfPerson(address, now)} as "isAddressKnown"
    from login_steps l join people p on p.id = l.person_id
    where l.kind = 'second factor' and l.token_hash = ${token} and l.expires_at > ${now} and p.disabled_at is null
    for no key update of p`);

/** Until the newest login with which the limit is reached is an hour old. */
const findLimit = (db: Sql, personId: number, place: string, now: Date): Promise<TooManyTries | undefined> =>
  db.maybe(sql<TooManyTries>`
    select ceil(extract(epoch from created_at + interval '1 hour' - ${now}::timestamptz))::int as "secondsToWait"
    from (
      select created_at, sum((state->'triesAt'->>${place})::int) over (order by created_at desc, id desc) as tries
      from login_steps
      where person_id = ${personId} and kind = 'second factor' and created_at > ${now}::timestamptz - interval '1 hour') recent
    where tries >= ${MAX_TRIES_PER_HOUR} order by tries, created_at desc limit 1`);

const countTry = (db: Sql, token: Buffer, place: string): Promise<CodeState | undefined> =>
  db.maybe(sql<CodeState>`
    update login_steps set state = state || jsonb_build_object(
      'tries', coalesce((state->>'tries')::int, 0) + 1,
      'triesAt', coalesce(state->'triesAt', '{}') || jsonb_build_object(${place}::text, coalesce((state->'triesAt'->>${place})::int, 0) + 1))
    where token_hash = ${token} and coalesce((state->>'tries')::int, 0) < ${MAX_TRIES_OF_STEP}
    returning state->>'next' as next`);
