import type { Policy } from '../../policy/policy.ts';
import { type BothWritings, parseIdn } from './idna.ts';

declare const checked: unique symbol;

/** A name that could be registered: one label below one of our zones. */
export type DomainName = BothWritings & { readonly zone: string; readonly [checked]: 'domain name' };

/** Reads a name as somebody wrote it. Undefined when no zone of ours can have it. */
export function parseDomainName(text: string, policy: Policy): DomainName | undefined {
  const name = parseIdn(text);
  if (!name) return undefined;
  const dot = name.unicode.indexOf('.');
  const [label, zone] = [name.unicode.slice(0, dot), name.unicode.slice(dot + 1)];
  if (dot < 1 || !isZoneOrigin(zone, policy) || !policy.labels.test(label)) return undefined;
  return { ...name, zone } as DomainName;
}

/** Whether the text is the name of a zone itself: nobody can have that. */
export const isZoneOrigin = (text: string, policy: Policy): boolean =>
  policy.zones.some(({ origin }) => origin === text);
