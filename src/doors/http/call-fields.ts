import type { DescribedEndpoint } from './endpoint.ts';
import { expectationOf, type SchemaNode } from './validation.ts';

const CHANGE_HEADERS = ['Idempotency-Key', 'Dry-Run'];

type Field = { readonly name: string; readonly node: SchemaNode; readonly isRequired: boolean };
type Expected = { readonly field: string; readonly expected: string };

/** The fields of a call that refusals of its form are about, as its document shows them. */
export type CallFields = {
  readonly has: (name: string) => boolean;
  /** One that it does not have. */
  readonly unknown: string;
  readonly required: string | undefined;
  readonly text: string | undefined;
  /** One with a form of its own, if there is one; else a text. */
  readonly formed: Expected | undefined;
  /** One with bounds. */
  readonly bounded: Expected | undefined;
};

export function fieldsOfCall({ body, query, headers = {}, mutates }: DescribedEndpoint): CallFields {
  const fields = [...fieldsBelow(body.schema, ''), ...fieldsBelow(query.schema, '')];
  const leaves = fields.filter(({ node }) => node.properties === undefined && node.type !== 'array');
  const known = new Set([
    ...fields.map(({ name }) => name),
    ...Object.keys(headers),
    ...(mutates ? CHANGE_HEADERS : []),
  ]);
  const member =
    leaves
      .find(({ name }) => !name.endsWith('.0'))
      ?.name.split('.')
      .slice(0, -1) ?? [];
  const formed = leaves.find(({ node }) => node.type !== 'string') ?? leaves[0];
  const bounded = fields.find(({ node }) => boundOf(node) !== undefined);
  return {
    // Items of lists are known by the first of them.
    has: (name) => known.has(name.replaceAll(/\.\d+/g, '.0')),
    unknown: [...member, 'comment'].join('.'),
    required: [...leaves, ...fields].find(({ isRequired }) => isRequired)?.name,
    text: leaves.find(({ node }) => node.type === 'string')?.name,
    formed: formed && {
      field: formed.name,
      expected: expectationOf(formed.node.enum === undefined ? 'type' : 'enum', formed.node),
    },
    bounded: bounded && {
      field: bounded.name,
      expected: expectationOf(boundOf(bounded.node) ?? '', bounded.node),
    },
  };
}

/** Bounds of texts are reported as a wrong form. */
const boundOf = (node: SchemaNode): string | undefined =>
  ['minimum', 'maximum', 'maxItems'].find((keyword) => keyword in node);

function fieldsBelow(node: SchemaNode, path: string, isRequired = true): Field[] {
  const required = (node.required ?? []) as readonly string[];
  const properties = Object.entries((node.properties ?? {}) as Readonly<Record<string, SchemaNode>>);
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  const children = properties.flatMap(([name, child]) =>
    fieldsBelow(child, within(name), isRequired && required.includes(name)),
  );
  const items =
    node.type === 'array' && node.items ? fieldsBelow(node.items as SchemaNode, within('0'), isRequired) : [];
  return [...(path === '' ? [] : [{ name: path, node, isRequired }]), ...children, ...items];
}
