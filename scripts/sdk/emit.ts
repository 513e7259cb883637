/** The generated files of packages/sdk: types of the API, and a class per group of calls. */
import { camel } from '../../src/doors/pages/reference/client-names.ts';
import { type CallModel, type Document, pascal, readCalls } from './calls.ts';
import { docOf, literal, type Schema, typeOf, unionOf } from './schema-types.ts';

export const HEAD =
  '// Generated from the OpenAPI document of the registrar API by npm run sdk:generate. Do not edit.\n\n';
/** Path parameters that the API itself shows as numbers. */
const NUMBERS = ['invoice_number', 'notification_id'];
/** What a call refuses is typed beside it, without the refusals of all calls. */
const OF_CALLS = /.(?:Failure|Refusal)$/;
/** Of types that are made for calls; everything else that a signature names is a schema of the document. */
const SUPPORT = ['Absent', 'Flagged'];

/** Common refusals can come from any call, and are kept out of the names that a call is about. */
export function emitTypes(document: Document, common: readonly string[]): string {
  const calls = readCalls(document);
  const named = [...new Set(calls.flatMap(({ refusals }) => refusals))];
  const commonNames = common.filter((name) => named.includes(name));
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => !OF_CALLS.test(name))
    .map(([name, schema]) => declaration(name, schema.description, typeOf(schema)));
  return [
    HEAD,
    `import type { ${SUPPORT.join(', ')} } from '../type-helpers.ts';\n\n`,
    ...schemas,
    docOf('Refusals that are not specific to a call: syntax, rights, limits.'),
    `export const COMMON_REFUSALS = [${commonNames.map(literal).join(', ')}] as const;\n`,
    'export type CommonRefusalName = (typeof COMMON_REFUSALS)[number];\n\n',
    declaration('RefusalName', 'Every refusal that an answer can name.', unionOf(named.sort())),
    ...calls.map((call) => callTypes(call, common)),
  ].join('');
}

const declaration = (name: string, description: string | undefined, type: string): string =>
  `${docOf(description)}export type ${name} = ${type};\n\n`;

const generic = ({ flag }: CallModel, suffix = ''): string => (flag ? `<${flag.type}${suffix}>` : '');

function callTypes(call: CallModel, common: readonly string[]): string {
  const { id, body, data, flag, query, refusals } = call;
  const name = pascal(id);
  const own = refusals.filter((refusal) => !common.includes(refusal));
  const shared = refusals.filter((refusal) => common.includes(refusal));
  return [
    ...(isNamed(data)
      ? []
      : [declaration(`${name}Data${generic(call, ' extends boolean')}`, undefined, typeOf(data, flag))]),
    ...(body && !isNamed(body.schema) ? [declaration(`${name}Input`, undefined, typeOf(body.schema))] : []),
    ...(query.length > 0
      ? [declaration(`${name}Query${generic(call, ' extends boolean')}`, undefined, queryType(call))]
      : []),
    declaration(
      `${name}Refusal`,
      undefined,
      [unionOf(own), unionOf(shared)].filter((union) => union !== 'never').join(' | '),
    ),
  ].join('');
}

const isNamed = (schema: Schema): boolean => schema.$ref !== undefined;

function queryType({ query, flag }: CallModel): string {
  const members = query.map(({ name, description, schema, required }) => {
    const type = name === flag?.name ? flag.type : typeOf(schema);
    return `${docOf(description)}readonly ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

export function emitGroups(document: Document): string {
  const groups = Map.groupBy(readCalls(document), ({ group }) => group);
  const classes = [...groups].map(([group, calls]) => groupClass(group, calls));
  const code = classes.join('\n');
  const own = ['Call', 'CallOptions', 'ChangeOptions', 'Changed', 'List', 'Sender'];
  return [
    HEAD,
    "import { segment } from '../path.ts';\n",
    `import type { ${own.join(', ')} } from '../support-types.ts';\n`,
    "import type * as api from './types.ts';\n\n",
    code,
    allGroups([...groups.keys()]),
  ].join('');
}

const groupClass = (group: string, calls: readonly CallModel[]): string => `export class ${pascal(group)} {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

${calls.map(method).join('\n')}}
`;

const allGroups = (groups: readonly string[]): string => `
/** Every group of calls. */
export class Groups {
${groups.map((group) => `  readonly ${group}: ${pascal(group)};`).join('\n')}

  constructor(sender: Sender) {
${groups.map((group) => `    this.${group} = new ${pascal(group)}(sender);`).join('\n')}
  }
}
`;

function method(call: CallModel): string {
  const { id, body, data, flag, listMember, mutates } = call;
  const name = pascal(id);
  const flagType = flag ? `<${flag.type}>` : '';
  const dataType = isNamed(data) ? `api.${typeOf(data)}` : `api.${name}Data${flagType}`;
  const generics = [
    ...(flag ? [`${flag.type} extends boolean = false`] : []),
    ...(mutates ? ['Dry extends boolean = false'] : []),
  ];
  const bodyName = body && argumentName(body.wrappers.at(-1));
  const headerMembers = call.headers.map(
    ({ name: header, description }) => `${docOf(description)}readonly ${camel(header)}?: string | undefined;`,
  );
  const optionsType = `${mutates ? 'ChangeOptions<Dry>' : 'CallOptions'}${headerMembers.length > 0 ? ` & { ${headerMembers.join('\n')} }` : ''}`;
  const parameters = [
    ...call.pathParameters.map(
      (parameter) => `${camel(parameter)}: ${NUMBERS.includes(parameter) ? 'number | string' : 'string'}`,
    ),
    ...(body && bodyName
      ? [`${bodyName}: api.${isNamed(body.schema) ? typeOf(body.schema) : `${name}Input`}`]
      : []),
    ...(call.query.length > 0
      ? [`query: api.${name}Query${flagType}${call.query.some(({ required }) => required) ? '' : ' = {}'}`]
      : []),
    `options: ${optionsType} = {}`,
  ];
  const answered = mutates ? `Changed<${dataType}, Dry>` : dataType;
  const item =
    listMember === undefined ? '' : `${dataType}${listMember === '' ? '' : `['${listMember}']`}[number]`;
  const returned = listMember === undefined ? `Call<${answered}, api.${name}Refusal>` : `List<${item}>`;
  const request = [
    `method: '${call.httpMethod}'`,
    `path: ${pathText(call.path)}`,
    ...(call.query.length > 0 ? ['query'] : []),
    ...(body && bodyName ? [`body: ${wrapped(body.wrappers, bodyName)}`] : []),
    ...(call.fixedBody === undefined ? [] : [`body: ${call.fixedBody}`]),
    ...(call.headers.length > 0
      ? [
          `headers: { ${call.headers.map(({ name: header }) => `'${header}': options.${camel(header)}`).join(', ')} }`,
        ]
      : []),
    ...(call.isDocument ? ['isDocument: true'] : []),
    ...(call.isBulk ? ['isBulk: true'] : []),
    'options',
  ];
  const sent = listMember === undefined ? 'call(' : `list('${listMember}', `;
  return `${docOf(`${call.summary}. ${call.httpMethod} ${call.path}`)}${call.method}${generics.length > 0 ? `<${generics.join(', ')}>` : ''}(
    ${parameters.join(',\n')}
  ): ${returned} {
    return this.#sender.${sent}{ ${request.join(', ')} });
  }
`;
}

/** The name of a parameter; what is no name in TypeScript is `input`. */
const argumentName = (member: string | undefined): string =>
  member === undefined || member === 'delete' || member === 'data' ? 'input' : camel(member);

function pathText(path: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => `\${segment(${camel(parameter)})}`);
  return filled === path ? literal(path) : `\`${filled}\``;
}

const wrapped = (wrappers: readonly string[], name: string): string =>
  wrappers.reduceRight((inner, wrapper) => `{ ${wrapper}: ${inner} }`, name);
