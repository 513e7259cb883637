import { timingSafeEqual } from 'node:crypto';
import type { Fragment, Pool, Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { sendMessages } from '../poll/messages.ts';
import { message } from '../poll/texts.ts';
import { type Refusal, Refused, refusal } from '../refusals.ts';

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
export function refuseGuessing(wrongCodes: WrongCodes, policy: Policy): void {
  if (wrongCodes.count >= policy.domains.wrongCodesPerHour) throw new Refused(tooMany(wrongCodes));
}

/** What those hear who are not listened to. */
export const tooMany = ({ secondsLeft }: Pick<WrongCodes, 'secondsLeft'>): Refusal =>
  refusal('tooManyWrongCodes', { seconds: secondsLeft ?? WINDOW_SECONDS });

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

/** Counts a wrong code; whoever comes after the limit is not told that his code was wrong. */
export async function rememberWrongCode(
  pool: Pool,
  wrong: WrongCode,
  now: Date,
  policy: Policy,
): Promise<void> {
  const tooLate = await pool.begin((sql) => countWrongCodes(sql, [wrong], now, policy));
  if (tooLate.length > 0) throw new Refused(tooMany({ secondsLeft: null }));
}

/**
 * Counts wrong codes, those for one name one after the other; the one that reaches the limit tells the sponsor. Those
 * that come after it are returned.
 */
export async function countWrongCodes(
  sql: Sql,
  wrong: readonly WrongCode[],
  now: Date,
  policy: Policy,
): Promise<WrongCode[]> {
  if (wrong.length === 0) return [];
  const limit = policy.domains.wrongCodesPerHour;
  const names = wrong.map(({ domainName }) => domainName);
  await sql`
    select pg_advisory_xact_lock(hashtextextended('wrong codes ' || n.name, 0))
    from (select distinct name from unnest(${names}::text[]) as name order by name) as n`;
  await sql`delete from wrong_codes where name = any(${names}::text[]) and at <= ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second'`;
  const before = await sql<{ name: string; count: number }[]>`
    select name, count(*) as count from wrong_codes where name = any(${names}::text[]) group by name`;
  await sql`insert into wrong_codes (name, at) select name, ${now} from unnest(${names}::text[]) as name`;
  const counts = new Map(before.map(({ name, count }) => [name, count]));
  const numbered = wrong.map((item) => {
    const number = (counts.get(item.domainName) ?? 0) + 1;
    counts.set(item.domainName, number);
    return { item, number };
  });
  const last = numbered.filter(({ number }) => number === limit);
  const messages = last.flatMap(({ item: { domain } }) => (domain ? [message('wrong_codes', domain)] : []));
  await sendMessages(sql, messages, now);
  return numbered.filter(({ number }) => number > limit).map(({ item }) => item);
}

export function sameCode(given: string, stored: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(stored)];
  return one.length === other.length && timingSafeEqual(one, other);
}
