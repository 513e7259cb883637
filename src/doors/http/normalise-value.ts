import { isBlank } from '../../platform/values/normalise-text.ts';
import type { SchemaNode } from './validation.ts';

/** For the schema of a code or password, in which surrounding space may be significant or a mistake to report. */
export const VERBATIM = { 'x-verbatim': true } as const;

/**
 * For optional members for which null and an empty text do not mean that they are not given. `refused` refuses both,
 * `text refused` only the text.
 */
export const emptyIs = (meaning: 'refused' | 'text refused') => ({ 'x-empty': meaning }) as const;
/** In a change: null and an empty text replace what is stored by this. */
export const emptyReplacesBy = (value: unknown) => ({ 'x-emptied': value }) as const;

/**
 * A copy of a value from a client in which texts have no surrounding space, except where the schema says verbatim, and
 * texts that show nothing are empty. Optional members that are null or an empty text are left out: they are not given.
 * Members that an object of the schema does not have are left out where they are ignored, and stay as they are where
 * they are refused.
 */
export function normaliseValue(value: unknown, node: SchemaNode | undefined): unknown {
  if (typeof value === 'string') {
    if (isBlank(value)) return '';
    return node?.['x-verbatim'] === true ? value : value.trim();
  }
  if (node?.['x-verbatim'] === true) return value;
  if (Array.isArray(value)) {
    const items = node?.items as SchemaNode | undefined;
    return value.map((item) => normaliseValue(item, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const properties = node?.properties as Readonly<Record<string, SchemaNode>> | undefined;
  if (!node || !properties)
    return Object.fromEntries(
      Object.entries(members).map(([name, item]) => [name, normaliseValue(item, undefined)]),
    );
  const copy: Record<string, unknown> = node.additionalProperties === false ? { ...members } : {};
  for (const [name, child] of Object.entries(properties)) {
    if (!Object.hasOwn(members, name)) continue;
    const member = normaliseValue(members[name], child);
    if (isRequired(node, name) || !isNotGiven(member, child)) copy[name] = member;
    else if ('x-emptied' in child) copy[name] = child['x-emptied'];
    else delete copy[name];
  }
  return copy;
}

export const isRequired = ({ required = [] }: SchemaNode, name: string): boolean =>
  (required as readonly string[]).includes(name);

/** Whether the value of an optional member means that it is not given. */
export function isNotGiven(value: unknown, node: SchemaNode): boolean {
  if (node['x-empty'] === 'refused') return false;
  return value === null || (value === '' && node['x-empty'] !== 'text refused');
}
