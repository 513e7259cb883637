import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import type { Context } from '../operation.ts';
import { isZoneName, isZoneOrigin, parseDomainName } from './name.ts';

/** Everything that can make a name unavailable, as one row; the same for every caller. */
export type NameState = {
  readonly name: string;
  readonly registered: boolean;
  readonly blocked: boolean;
  /** The code that allows registering the name. */
  readonly reservationCode: string | null;
  readonly disputeCode: string | null;
};

export type Unavailable = 'in use' | 'blocked' | 'reserved' | 'disputed' | 'zone' | 'invalid';

/** The one availability query: columns of a NameState for a row `asked` with the name. */
export function nameState(now: Date | Fragment): Fragment {
  return sql`asked.name,
      ${existsByKey(sql`select true from domains d where d.name = asked.name`)} as registered,
      ${existsByKey(sql`select true from blocked_names b where b.name = asked.name`)} as blocked,
      (select r.code from reserved_names r
        where r.name = asked.name and (r.expires_at is null or r.expires_at > ${now})) as "reservationCode",
      (select d.code from disputes d
        where d.name = asked.name and d.closed_at is null and d.starts_at <= ${now} and d.expires_at > ${now}) as "disputeCode"`;
}

/** One state per name, in their order. */
export const findNameStates = (db: Sql, names: readonly string[], now: Date): Promise<NameState[]> =>
  db.rows(nameStates(names, now));

const findNameState = (db: Sql, name: string, now: Date): Promise<NameState> =>
  db.one(nameStates([name], now));

function nameStates(names: readonly string[], now: Date): Statement<NameState> {
  return sql<NameState>`
    select ${nameState(now)} from unnest(${names as string[]}::text[]) with ordinality as asked(name, position) order by asked.position`;
}

/** Why the name cannot be registered without a code; undefined if it can. */
export function whyUnavailable({
  registered,
  blocked,
  reservationCode,
  disputeCode,
}: NameState): Unavailable | undefined {
  if (registered) return 'in use';
  if (blocked) return 'blocked';
  if (disputeCode !== null) return 'disputed';
  return reservationCode === null ? undefined : 'reserved';
}

export type NameCheck = {
  readonly name: string;
  readonly available: boolean;
  readonly reason: Unavailable | null;
};

/** Whether the name can be registered now; reserved and disputed names need a code. */
export async function checkName(
  db: Sql,
  text: string,
  { policy, now }: Pick<Context, 'policy' | 'now'>,
): Promise<NameCheck> {
  const name = parseDomainName(text, policy);
  if (!name)
    return {
      name: text,
      available: false,
      reason: isZoneName(text, policy) ? 'zone' : 'invalid',
    };
  if (isZoneOrigin(name.unicode, policy)) return { name: name.unicode, available: false, reason: 'zone' };
  const state = await findNameState(db, name.unicode, now);
  const reason = whyUnavailable(state) ?? null;
  return { name: name.unicode, available: reason === null, reason };
}
