/** The parts of an OpenAPI document that the reference shows; its shape is checked, not assumed. */
import { withPartsInPlace } from '../../http/openapi-components.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Example = { readonly name: string; readonly summary: string; readonly value: unknown };
export type Answer = {
  readonly status: string;
  readonly description: string;
  readonly schema: Json | undefined;
  readonly examples: readonly Example[];
};
export type Parameter = {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
  readonly example: unknown;
};
/** An event that a call causes, under a condition if there is one. */
export type Caused = { readonly type: string; readonly when: string };
export type EventKind = { readonly type: string; readonly summary: string };
export type Call = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Json; readonly example: unknown } | undefined;
  readonly answers: readonly Answer[];
  readonly events: readonly Caused[];
  /** Whether it needs no credentials. */
  readonly isOpen: boolean;
};
export type Group = { readonly name: string; readonly description: string; readonly calls: readonly Call[] };
export type Api = {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  readonly signIn: readonly { readonly name: string; readonly description: string }[];
  readonly hasBasic: boolean;
  readonly groups: readonly Group[];
  readonly calls: readonly Call[];
  /** What is posted to webhook endpoints. */
  readonly events: readonly EventKind[];
  /** Resolves a `$ref` of the document; returns other schemas unchanged. */
  readonly resolve: (schema: Json) => Json;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
const JSON_TYPE = 'application/json';

export function readApi(document: object): Api {
  const { info, paths, tags, components, webhooks } = members(withPartsInPlace(document));
  const { title, version, summary, description } = members(info);
  const calls = Object.entries(members(paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => method in members(item)).map((method) =>
      readCall(path, method, members(item)),
    ),
  );
  const about = new Map(list(tags).map((tag) => [text(tag.name), text(tag.description)]));
  const names = new Set([...about.keys(), ...calls.map(({ group }) => group)]);
  const groups = [...names].map((name) => ({
    name,
    description: about.get(name) ?? '',
    calls: calls.filter(({ group }) => group === name),
  }));
  return {
    title: text(title),
    version: text(version),
    summary: text(summary),
    description: text(description),
    signIn: Object.entries(members(members(components).securitySchemes)).map(readSignIn),
    hasBasic: Object.values(members(members(components).securitySchemes)).some(
      (scheme) => members(scheme).scheme === 'basic',
    ),
    groups: groups.filter((group) => group.calls.length > 0),
    calls,
    events: Object.entries(members(webhooks)).map(([type, item]) => ({
      type,
      summary: text(members(members(item).post).summary),
    })),
    resolve: (schema) => follow(document, schema),
  };
}

function readCall(path: string, method: string, item: Json): Call {
  const call = members(item[method]);
  const body = members(members(members(call.requestBody).content)[JSON_TYPE]);
  return {
    id: text(call.operationId) || `${method}${path.replace(/[^\w]+/g, '-')}`,
    method: method.toUpperCase(),
    path,
    group: text((call.tags as unknown[] | undefined)?.[0]) || 'Calls',
    isOpen: Array.isArray(call.security) && call.security.length === 0,
    summary: text(call.summary) || `${method.toUpperCase()} ${path}`,
    description: text(call.description),
    parameters: [...list(item.parameters), ...list(call.parameters)].map(readParameter),
    body:
      'schema' in body ? { schema: members(body.schema), example: readExamples(body)[0]?.value } : undefined,
    events: list(call['x-events']).map(({ type, when }) => ({ type: text(type), when: text(when) })),
    answers: Object.entries(members(call.responses)).map(([status, answer]) =>
      readAnswer(status, members(answer)),
    ),
  };
}

function readParameter({ name, in: place, required, description, schema, example }: Json): Parameter {
  return {
    name: text(name),
    place: text(place),
    required: required === true,
    description: text(description),
    schema: members(schema),
    example,
  };
}

function readAnswer(status: string, { description, content }: Json): Answer {
  const body = members(members(content)[JSON_TYPE]);
  return {
    status,
    description: text(description),
    schema: 'schema' in body ? members(body.schema) : undefined,
    examples: readExamples(body),
  };
}

function readExamples({ example, examples }: Json): Example[] {
  if (example !== undefined) return [{ name: 'example', summary: '', value: example }];
  return Object.entries(members(examples)).map(([name, each]) => {
    const { summary, value } = members(each);
    return { name, summary: text(summary), value };
  });
}

function readSignIn([name, scheme]: [string, unknown]): Api['signIn'][number] {
  const { type, scheme: kind, description } = members(scheme);
  return {
    name:
      type === 'http' && typeof kind === 'string' ? `HTTP ${kind[0]?.toUpperCase()}${kind.slice(1)}` : name,
    description: text(description),
  };
}

function follow(document: object, schema: Json): Json {
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return schema;
  const steps = $ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<Json>((place, step) => members(place[step]), members(document));
}

export function members(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(members) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
