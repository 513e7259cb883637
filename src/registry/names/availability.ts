import { mapInTurns } from '../../platform/concurrency/event-loop-turns.ts';
import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Context } from '../operation.ts';
import { disputeInForce } from './dispute-in-force.ts';
import { domainNameOf, isZoneOrigin, parseIdn } from './name.ts';
import { NAMES_PER_TURN } from './name-lists.ts';

/** Everything that can make a name unavailable, as one row; the same for every caller. */
export type NameState = {
  readonly name: string;
  readonly registered: boolean;
  readonly blocked: boolean;
  /** The code that allows registering the name. */
  readonly reservationCode: string | null;
  readonly disputeCode: string | null;
};

export const unavailabilities = ['in use', 'blocked', 'reserved', 'disputed', 'zone', 'invalid'] as const;
export type Unavailable = (typeof unavailabilities)[number];

/** The one availability query: columns of a NameState for a row `asked` with the name. */
export function nameState(now: Date | Fragment): Fragment {
  return sql`asked.name,
      ${existsByKey(sql`select true from domains d where d.name = asked.name`)} as registered,
      ${existsByKey(sql`select true from blocked_names b where b.name = asked.name`)} as blocked,
      (select r.code from reserved_names r
        where r.name = asked.name and (r.expires_at is null or r.expires_at > ${now})) as "reservationCode",
      (select x.code from ${disputeInForce(sql`asked.name`, now)}) as "disputeCode"`;
}

/** One state per name, in their order. */
export const findNameStates = (db: Sql, names: readonly string[], now: Date): Promise<NameState[]> =>
  db.rows(nameStates(names, now));

function nameStates(names: readonly string[], now: Date): Statement<NameState> {
  return sql<NameState>`
    select ${nameState(now)} from unnest(${names}::text[]) with ordinality as asked(name, position) order by asked.position`;
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

/** Of one of many names: also the zone that it is in or would be in. */
export type NameCheckInZone = NameCheck & { readonly zone: string | undefined };

type CheckContext = Pick<Context, 'policy' | 'now'>;

/** Whether the name can be registered now; reserved and disputed names need a code. */
export async function checkName(db: Sql, text: string, context: CheckContext): Promise<NameCheck> {
  const [check] = await checkNames(db, [text], context);
  if (!check) throw new Error('nothing was found out about a name');
  const { name, available, reason } = check;
  return { name, available, reason };
}

/** The same for many names with one query, in their order. */
export async function checkNames(
  db: Sql,
  texts: readonly string[],
  { policy, now }: CheckContext,
): Promise<NameCheckInZone[]> {
  const asked = await mapInTurns(texts, NAMES_PER_TURN, (text) => readAskedName(text, policy));
  const possible = [...new Set(asked.flatMap(({ name, isPossible }) => (isPossible ? [name] : [])))];
  const states = possible.length === 0 ? [] : await findNameStates(db, possible, now);
  const reasons = new Map(states.map((state) => [state.name, whyUnavailable(state) ?? null]));
  return asked.map(({ name, zone, isZone, isPossible }) => {
    const reason = isPossible ? (reasons.get(name) ?? null) : isZone ? 'zone' : 'invalid';
    return { name, zone, available: reason === null, reason };
  });
}

function readAskedName(text: string, policy: Policy) {
  const idn = parseIdn(text);
  const name = domainNameOf(idn, policy);
  const isZone = idn !== undefined && isZoneOrigin(idn.unicode, policy);
  return { name: name?.unicode ?? text, zone: name?.zone, isZone, isPossible: name !== undefined && !isZone };
}
