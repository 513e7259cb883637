/**
 * The part of JSONPath (RFC 9535) that redactions use: members, indexes, and filters that compare one member with a
 * text. jsonpath-rfc9535 1.3.0 was tried: its filters find nothing where the compared query has an index.
 */
const SEGMENT = /\.(\w+)|\[(\d+)\]|\[\?\(@((?:\.\w+|\[\d+\])+)=='([^']*)'\)\]/y;

/** The values at a path; it fails for a path in any other form. */
export function valuesAt(root: unknown, path: string): unknown[] {
  if (!path.startsWith('$')) throw new Error(`no path: ${path}`);
  let found = [root];
  let position = 1;
  while (position < path.length) {
    SEGMENT.lastIndex = position;
    const match = SEGMENT.exec(path);
    if (!match) throw new Error(`no path from character ${position}: ${path}`);
    const [segment, name, index, compared, text] = match;
    found = found.flatMap((value) =>
      compared === undefined
        ? memberOf(value, name ?? Number(index))
        : childrenOf(value).filter((child) => valuesAt(child, `$${compared}`).includes(text)),
    );
    position += segment.length;
  }
  return found;
}

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function memberOf(value: unknown, key: string | number): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) !== (typeof key === 'number') || !Object.hasOwn(value, key)) return [];
  return [(value as Record<string | number, unknown>)[key]];
}
