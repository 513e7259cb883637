import type { SchemaNode } from './validation.ts';

/** For the schema of a code or password, in which surrounding space may be significant or a mistake to report. */
export const VERBATIM = { 'x-verbatim': true } as const;

/** A copy of a value from a client in which texts have no surrounding space, except where the schema says verbatim. */
export function trimTexts(value: unknown, node: SchemaNode | undefined): unknown {
  if (typeof value === 'string') return node?.['x-verbatim'] === true ? value : value.trim();
  if (Array.isArray(value)) {
    const items = node?.items as SchemaNode | undefined;
    return value.map((item) => trimTexts(item, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = node?.properties as Readonly<Record<string, SchemaNode>> | undefined;
  const child = (name: string) =>
    properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, trimTexts(item, child(name))]),
  );
}
