import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql, text } from '../sql/statement.ts';
import { type KeysetSearch, MAX_COUNTED, MAX_HASHED, MAX_SORTED } from './keyset-search.ts';

/** A set of candidates: its size up to one more than can be hashed, and its ids. */
export type CandidateSet = {
  readonly size: Fragment;
  readonly ids: Fragment;
  /** How often it can have the same id; undefined if some of it may be of no concern to the registrar. */
  readonly repeats?: number;
};

/** Of a set that is too large to be hashed. */
export const BEYOND_HASHED = MAX_HASHED + 1;
const UP_TO_BEYOND = text(`limit ${BEYOND_HASHED}`);

export const countedSet = (ids: Fragment, repeats?: number): CandidateSet => ({
  ids,
  size: sql`(select count(*) from (${ids} ${UP_TO_BEYOND}) as counted)`,
  ...(repeats !== undefined && { repeats }),
});

/** What a set of candidates tells of the search. */
type Chosen<Set> = Pick<KeysetSearch<string>, 'candidates' | 'knownMatches'> & {
  /** Whose test every candidate passes. */
  readonly set?: Set | undefined;
};

/** The smallest of the sets, where it helps. */
export async function chooseCandidates<Set extends CandidateSet>(
  db: Sql,
  sets: readonly Set[],
  isOnlyFilter: boolean,
): Promise<Chosen<Set>> {
  const [first, ...others] = sets.map(({ size }) => size);
  if (!first) return { candidates: undefined };
  const list = others.reduce((written: Fragment, size) => sql`${written}, ${size}`, first);
  const { sizes } = await db.one(sql<{ sizes: number[] }>`select json_build_array(${list}) as sizes`);
  const size = Math.min(...sizes);
  const set = sets[sizes.indexOf(size)];
  const isMany = isOnlyFilter && sets.length === 1 && set?.repeats && size / set.repeats > MAX_COUNTED;
  const knownMatches = isMany ? MAX_COUNTED + 1 : null;
  return set && size <= MAX_HASHED
    ? { candidates: { ids: set.ids, isSorted: size <= MAX_SORTED }, set, knownMatches }
    : { candidates: undefined, knownMatches };
}
