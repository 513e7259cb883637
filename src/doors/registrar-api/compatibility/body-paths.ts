import type { SchemaNode } from '../../http/validation.ts';

type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of members; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (part, step) =>
      (isMembers(part) || Array.isArray(part)) && Object.hasOwn(part, step)
        ? (part as Members)[step]
        : undefined,
    value,
  );

/** The value with one part replaced; `*` stands for every item of a list. A part that is absent stays absent. */
export function mapAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  map: (part: unknown) => unknown,
): unknown {
  if (step === undefined) return map(value);
  if (step === '*') return Array.isArray(value) ? value.map((item) => mapAt(item, rest, map)) : value;
  if (!isMembers(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: mapAt(value[step], rest, map) };
}

/** The value without one member; the same value if it has none. */
export function without(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || !isMembers(value) || !Object.hasOwn(value, step)) return value;
  if (rest.length > 0) {
    const inner = without(value[step], rest);
    return inner === value[step] ? value : { ...value, [step]: inner };
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

/** Texts of a form as integers, where the schema has integers. */
export function withIntegers(value: unknown, schema: SchemaNode | undefined): unknown {
  if (typeof value === 'string')
    return schema?.type === 'integer' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (Array.isArray(value))
    return value.map((item) => withIntegers(item, schema?.items as SchemaNode | undefined));
  if (!isMembers(value)) return value;
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, SchemaNode>>;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withIntegers(item, Object.hasOwn(properties, name) ? properties[name] : undefined),
    ]),
  );
}
