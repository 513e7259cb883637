import { mapInTurns } from '../../platform/concurrency/event-loop-turns.ts';
import type { Policy } from '../../policy/policy.ts';
import { type DomainName, parseDomainName } from './name.ts';

/** A name that is read by the tables of Unicode takes up to 0.3 ms. */
export const NAMES_PER_TURN = 20;

/** Parses each name of a list of a client, over several turns of the event loop; undefined where there can be no such name. */
export async function parseDomainNames(
  texts: readonly string[],
  policy: Policy,
): Promise<(DomainName | undefined)[]> {
  const different = [...new Set(texts)];
  const parsed = await mapInTurns(different, NAMES_PER_TURN, (text) => parseDomainName(text, policy));
  const names = new Map(different.map((text, index) => [text, parsed[index]]));
  return texts.map((text) => names.get(text));
}

/** The names as they are stored; what cannot be a name stays as it was written. */
export async function storedNames(texts: readonly string[], policy: Policy): Promise<string[]> {
  const names = await parseDomainNames(texts, policy);
  return texts.map((text, index) => names[index]?.unicode ?? text);
}
