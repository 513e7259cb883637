import type { SchemaNode } from './validation.ts';

/** For the schema of a code or password, in which surrounding space may be significant or a mistake to report. */
export const VERBATIM = { 'x-verbatim': true } as const;

/**
 * A copy of a value from a client in which texts have no surrounding space, except where the schema says verbatim. Members
 * that an object of the schema does not have are left out where they are ignored, and stay as they are where they are
 * refused.
 */
export function trimTexts(value: unknown, node: SchemaNode | undefined): unknown {
  if (typeof value === 'string') return node?.['x-verbatim'] === true ? value : value.trim();
  if (Array.isArray(value)) {
    const items = node?.items as SchemaNode | undefined;
    return value.map((item) => trimTexts(item, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const properties = node?.properties as Readonly<Record<string, SchemaNode>> | undefined;
  if (!properties)
    return Object.fromEntries(
      Object.entries(members).map(([name, item]) => [name, trimTexts(item, undefined)]),
    );
  const copy: Record<string, unknown> = node?.additionalProperties === false ? { ...members } : {};
  for (const [name, child] of Object.entries(properties))
    if (Object.hasOwn(members, name)) copy[name] = trimTexts(members[name], child);
  return copy;
}
