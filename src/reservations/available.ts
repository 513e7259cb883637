import type { Sql } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { findNameStates, whyUnavailable } from '../registry/names/availability.ts';
import { isZoneOrigin, parseDomainName } from '../registry/names/name.ts';

/** Which of the names anybody could have now, in their order, each once. */
export const availableAmong = (
  db: Sql,
  texts: readonly string[],
  { policy, now }: { readonly policy: Policy; readonly now: Date },
): Promise<string[]> => freeAmong(db, namesAmong(texts, policy), now);

/** The same of names that were read already. */
export async function freeAmong(db: Sql, names: readonly string[], now: Date): Promise<string[]> {
  const states = await findNameStates(db, names, now);
  return states.filter((state) => whyUnavailable(state) === undefined).map(({ name }) => name);
}

/** What of it is a name in one of our zones, each once; nobody can have a zone itself. */
export function namesAmong(texts: readonly string[], policy: Policy): string[] {
  const names = texts.flatMap((text) => parseDomainName(text, policy)?.unicode ?? []);
  return [...new Set(names)].filter((name) => !isZoneOrigin(name, policy));
}
