import { isNotGiven, isRequired } from '../http/normalise-value.ts';
import type { Dialect } from '../http/read-request.ts';
import type { Failure, SchemaNode } from '../http/validation.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Copies a body into the form of its schema: drops null members, and optional ones that are empty; turns numbers into texts where either is allowed. A value that should be an object is reported and validated as an
 * empty one, so that its missing members are reported too.
 */
export const prepareBody: NonNullable<Dialect['prepare']> = (body, schema) => {
  const failures: Failure[] = [];
  return { value: prepare(body ?? (body === null ? null : {}), schema, [], failures), failures };
};

function prepare(value: unknown, node: SchemaNode, path: readonly string[], failures: Failure[]): unknown {
  if (node.type === 'object') return prepareObject(value, node, path, failures);
  if (node.type === 'array' && Array.isArray(value)) {
    const items = node.items as SchemaNode;
    return items.type === 'object'
      ? value.map((item, index) => prepare(item, items, [...path, String(index)], failures))
      : value;
  }
  return typeof value === 'number' && isTextOrNumber(node) ? String(value) : value;
}

function prepareObject(
  value: unknown,
  node: SchemaNode,
  path: readonly string[],
  failures: Failure[],
): Members {
  if (!isObject(value)) {
    failures.push({ problem: 'form', path, keyword: 'type', node, expected: 'an object', value });
    return {};
  }
  const members = Object.entries((node.properties ?? {}) as Record<string, SchemaNode>).flatMap(
    ([name, child]) => {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      const isAbsent =
        member === undefined || member === null || (!isRequired(node, name) && isNotGiven(member, child));
      return isAbsent ? [] : [[name, prepare(member, child, [...path, name], failures)] as const];
    },
  );
  return Object.fromEntries(members);
}

const isTextOrNumber = ({ type }: SchemaNode): boolean => Array.isArray(type) && type.includes('number');

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
