import type { Sql } from '../../platform/sql/executor.ts';
import type { Context } from '../operation.ts';
import { findNameState, type Unavailable, whyUnavailable } from './availability.ts';
import { isZoneOrigin, parseDomainName } from './name.ts';

export type NameCheck = {
  readonly name: string;
  readonly available: boolean;
  readonly reason: Unavailable | null;
};

/** Whether anybody could register the name now; reserved and disputed names need a code. */
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
      reason: isZoneOrigin(text.toLowerCase(), policy) ? 'zone' : 'invalid',
    };
  if (isZoneOrigin(name.unicode, policy)) return { name: name.unicode, available: false, reason: 'zone' };
  const state = await findNameState(db, name.unicode, now);
  const reason = whyUnavailable(state) ?? null;
  return { name: name.unicode, available: reason === null, reason };
}
