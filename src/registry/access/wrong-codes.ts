import { timingSafeEqual } from 'node:crypto';
import type { Fragment, Pool, Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { sendMessages } from '../poll/messages.ts';
import { message } from '../poll/texts.ts';
import { type Refusal, Refused, refuse } from '../refusals.ts';

const WINDOW_SECONDS = 3600;

/** How often a wrong code came for a name within the last hour, and in how many seconds the first of them is forgotten. */
export type WrongCodes = { readonly count: number; readonly secondsLeft: number | null };

/** A JSON value of WrongCodes: a part of a loading statement. */
export function wrongCodesOf(sql: Sql, name: string | Fragment, now: Date | Fragment): Fragment {
  return sql`(
    select json_build_object('count', count(*),
      'secondsLeft', ceil(extract(epoch from min(at) + ${WINDOW_SECONDS} * interval '1 second' - ${now}::timestamptz))::int)
    from wrong_codes where name = ${name} and at > ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second')`;
}

/** Once too many were wrong nobody is listened to, not even with the right code. */
export function refuseGuessing({ count, secondsLeft }: WrongCodes, policy: Policy): void {
  if (count >= policy.domains.wrongCodesPerHour)
    refuse('tooManyWrongCodes', { seconds: secondsLeft ?? WINDOW_SECONDS });
}

/** A refusal that counts: the name, and the sponsor who is told when it happens too often. */
export class WrongCode extends Refused {
  readonly domain: { readonly name: string; readonly id: number; readonly registrarId: number } | undefined;
  readonly domainName: string;

  constructor(domainName: string, domain: WrongCode['domain'], refusals: readonly [Refusal, ...Refusal[]]) {
    super(...refusals);
    this.domainName = domainName;
    this.domain = domain;
  }
}

/**
 * Counts a wrong code, one after the other for each name; the one that reaches the limit tells the sponsor, and
 * whoever comes after it is not told that his code was wrong.
 */
export async function rememberWrongCode(
  pool: Pool,
  { domainName, domain }: WrongCode,
  now: Date,
  policy: Policy,
): Promise<void> {
  const limit = policy.domains.wrongCodesPerHour;
  const count = await pool.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`wrong codes ${domainName}`}, 0))`;
    await sql`delete from wrong_codes where name = ${domainName} and at <= ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second'`;
    await sql`insert into wrong_codes (name, at) values (${domainName}, ${now})`;
    const [row] = await sql<
      { count: number }[]
    >`select count(*) as count from wrong_codes where name = ${domainName}`;
    if (row?.count === limit && domain) await sendMessages(sql, [message('wrong_codes', domain)], now);
    return row?.count ?? 0;
  });
  if (count > limit) refuse('tooManyWrongCodes', { seconds: WINDOW_SECONDS });
}

export function sameCode(given: string, stored: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(stored)];
  return one.length === other.length && timingSafeEqual(one, other);
}
