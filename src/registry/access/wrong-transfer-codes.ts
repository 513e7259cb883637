import { timingSafeEqual } from 'node:crypto';
import { runTransaction } from '../../operations/in-transaction.ts';
import { type Refusal, Refused } from '../../operations/refusal.ts';
import type { DueTime } from '../../platform/jobs/repair-due-times.ts';
import type { Purge } from '../../platform/jobs/run-purge.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { refusal, refuse } from '../domains/rules/domain-refusals.ts';
import { registryAuthor } from '../history/read-history.ts';
import type { Context } from '../operation.ts';
import { message, sendMessages } from '../poll/send-messages.ts';

const WINDOW_SECONDS = 3600;
/** A registrar would be refused for as long as the clock was ahead. */
export const wrongCodeTime: DueTime = {
  what: 'wrong codes',
  table: 'wrong_codes',
  column: 'at',
  maxAheadMs: 0,
};
const BATCH = 10_000;

/** Wrong codes one registrar sent for a name within the last hour, and the seconds until the oldest of them expires. */
export type WrongCodes = { readonly count: number; readonly secondsLeft: number | null };
type CallerContext = Pick<Context, 'principal' | 'now' | 'policy'>;

/** A JSON value of WrongCodes: a part of a loading statement. */
export function wrongCodesOf(
  name: string | Fragment,
  { registrarId, now }: { readonly registrarId: number | Fragment; readonly now: Date | Fragment },
): Fragment {
  return sql`(
    select json_build_object('count', count(*),
      'secondsLeft', ceil(extract(epoch from min(at) + ${WINDOW_SECONDS} * interval '1 second' - ${now}::timestamptz))::int)
    from wrong_codes where registrar_id = ${registrarId} and name = ${name} and at > ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second')`;
}

/** A registrar that sent too many wrong codes for a name is refused even with the right one; other registrars are not. */
export function requireNoGuessing(wrongCodes: WrongCodes, policy: Policy): void {
  if (wrongCodes.count >= policy.domains.wrongCodesPerHour) throw new Refused(tooMany(wrongCodes));
}

export const tooMany = ({ secondsLeft }: Pick<WrongCodes, 'secondsLeft'>): Refusal =>
  refusal('tooManyWrongCodes', { seconds: secondsLeft ?? WINDOW_SECONDS });

/** A refusal that is counted, with the name and the sponsor to notify when the limit is reached. */
export class WrongCode extends Refused {
  readonly domain: { readonly name: string; readonly id: number; readonly registrarId: number } | undefined;
  readonly domainName: string;

  constructor(domainName: string, domain: WrongCode['domain'], refusals: readonly [Refusal, ...Refusal[]]) {
    super(refusals[0], refusals.slice(1));
    this.domainName = domainName;
    this.domain = domain;
  }
}

type GuardedDomain = NonNullable<WrongCode['domain']> & {
  readonly transferCode: string;
  readonly wrongCodes: WrongCodes;
};

/** For reads: passes the sponsor, and everybody who gives the transfer code. */
export function requireRightCode(
  domain: GuardedDomain,
  code: string | undefined,
  { principal, policy }: Pick<CallerContext, 'principal' | 'policy'>,
): void {
  if (domain.registrarId === principal.registrarId) return;
  requireNoGuessing(domain.wrongCodes, policy);
  if (code === undefined) refuse('codeMissing', { at: ['transferCode'] });
  if (!sameCode(code, domain.transferCode))
    throw new WrongCode(domain.name, domain, [refusal('wrongCode', { at: ['transferCode'] })]);
}

/** The same; a wrong code counts as a guess. */
export async function requireTransferCode(
  pool: Pool,
  domain: GuardedDomain,
  code: string | undefined,
  context: CallerContext,
): Promise<void> {
  try {
    requireRightCode(domain, code, context);
  } catch (error) {
    if (error instanceof WrongCode) await rememberWrongCode(pool, error, context);
    throw error;
  }
}

/** Counts a wrong code; beyond the limit the refusal no longer reveals that the code was wrong. */
export async function rememberWrongCode(pool: Pool, wrong: WrongCode, context: CallerContext): Promise<void> {
  const tooLate = await runTransaction(pool, context.now, (db) => countWrongCodes(db, [wrong], context));
  if (tooLate.length > 0) throw new Refused(tooMany({ secondsLeft: null }));
}

/**
 * Counts the wrong codes of one registrar, serialised per name; returns those beyond the limit, which do not count. The
 * sponsor's own never count: it can read the code. When the total over all registrars reaches the limit, the sponsor is
 * notified, once an hour.
 */
export async function countWrongCodes(
  db: Sql,
  wrong: readonly WrongCode[],
  { principal: { registrarId }, now, policy }: CallerContext,
): Promise<WrongCode[]> {
  const guesses = wrong.filter(({ domain }) => domain?.registrarId !== registrarId);
  if (guesses.length === 0) return [];
  const limit = policy.domains.wrongCodesPerHour;
  const names = guesses.map(({ domainName }) => domainName);
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended('wrong codes ' || n.name, 0))
    from (select distinct name from unnest(${names}::text[]) as name order by name) as n`);
  const before = await db.rows(sql<{ name: string; own: number; total: number; isNotified: boolean }>`
    select name, count(*) filter (where registrar_id = ${registrarId}) as own, count(*) as total, bool_or(sponsor_notified) as "isNotified"
    from wrong_codes where name = any(${names}::text[]) and at > ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second'
    group by name`);
  const counts = new Map(before.map((row) => [row.name, row]));
  const numbered = guesses.map((guess) => {
    const name = guess.domainName;
    const { own, total, isNotified } = counts.get(name) ?? { own: 0, total: 0, isNotified: false };
    if (own >= limit) return { guess, tooLate: true, total, notifies: false };
    const notifies = guess.domain !== undefined && !isNotified && total + 1 >= limit;
    counts.set(name, { name, own: own + 1, total: total + 1, isNotified: isNotified || notifies });
    return { guess, tooLate: false, total: total + 1, notifies };
  });
  const counted = numbered.filter(({ tooLate }) => !tooLate);
  await db.run(sql`
    insert into wrong_codes (name, registrar_id, at, sponsor_notified)
    select g.name, ${registrarId}, ${now}, g.notified = 1
    from unnest(${counted.map(({ guess }) => guess.domainName)}::text[], ${counted.map(({ notifies }) => (notifies ? 1 : 0))}::int[]) as g(name, notified)`);
  const messages = counted.flatMap(({ guess: { domain }, total, notifies }) =>
    domain && notifies ? [message('wrong_codes', { ...domain, count: String(total) })] : [],
  );
  await sendMessages(db, messages, registryAuthor(now));
  return numbered.filter(({ tooLate }) => tooLate).map(({ guess }) => guess);
}

const oldWrongCodes = (now: Date): Fragment => sql`
  select ctid from wrong_codes where at <= ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second'`;

export const wrongCodePurge: Purge = {
  step: 'delete wrong codes',
  table: sql`wrong_codes`,
  due: oldWrongCodes,
  removeSome: (db, time) =>
    db.run(sql`delete from wrong_codes where ctid = any(array(${oldWrongCodes(time)} limit ${BATCH}))`),
};

export function sameCode(given: string, stored: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(stored)];
  return one.length === other.length && timingSafeEqual(one, other);
}
