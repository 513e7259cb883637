import ts from 'typescript';

/** Of types that contain themselves. */
const MAX_DEPTH = 6;
const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
const UNKNOWN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.Instantiable;
const PRIMITIVES = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
  [UNKNOWN, 'unknown'],
] as const;

/** Date, and what a template can contain beside values. */
const OWN_CLASSES = ['Date', 'Json', 'Statement', 'Identifier'];

/** Null and undefined apart; several kinds are listed. A Date within an object is named, since JSON has none. */
export function kindOf(checker: ts.TypeChecker, type: ts.Type, depth = 0): string {
  if (type.isUnion()) {
    const kinds = type.types
      .filter(({ flags }) => !(flags & NOTHING))
      .map((one) => kindOf(checker, one, depth));
    return [...new Set(kinds)].sort().join(' | ');
  }
  const primitive = PRIMITIVES.find(([flags]) => type.flags & flags);
  if (primitive) return primitive[1];
  if (type.isIntersection()) {
    const kinds = type.types.map((one) => kindOf(checker, one, depth));
    return kinds.find((kind) => !kind.startsWith('object')) ?? kinds.sort().at(-1) ?? 'object';
  }
  const name = type.symbol?.name;
  if (name !== undefined && OWN_CLASSES.includes(name)) return name;
  if (name === 'Buffer' || name === 'Uint8Array') return 'bytes';
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return item ? `${kindOf(checker, item, depth + 1)}[]` : 'object';
  }
  const properties = depth < MAX_DEPTH && !checker.isTupleType(type) ? checker.getPropertiesOfType(type) : [];
  const hasDate = properties.some((one) =>
    /Date/.test(kindOf(checker, checker.getTypeOfSymbol(one), depth + 1)),
  );
  return hasDate ? 'object with a Date' : 'object';
}
