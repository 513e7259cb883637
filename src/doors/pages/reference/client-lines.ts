import { FEEDS, fixedBody, groupName, methodName, unwrapBody } from './client-names.ts';
import { type Api, type Call, type Json, members } from './model.ts';

/** Orders that must survive a crash of the program; for other changes the client's own key suffices. */
const ORDERS = ['createDomain', 'renewDomain', 'renewDomains', 'addCredit'];

export const CLIENT_SETUP = (origin: string): string => `import { Registry } from 'cadastre-sdk';

const registry = new Registry({ baseUrl: ${literal(origin)}, username, password });`;

/** The documented example of a call of the registrar API, by cadastre-sdk. */
export function clientLines(call: Call, resolve: Api['resolve']): string {
  const { id, group, parameters, body } = call;
  const given = (place: string) => parameters.filter((each) => each.place === place);
  const query = given('query').filter(({ example }) => example !== undefined);
  const texts = [
    ...given('path').map(({ example }) => literal(String(example))),
    ...(body && fixedBody(id) === undefined ? [literal(inputOf(body, resolve))] : []),
    ...(query.length > 0
      ? [literal(Object.fromEntries(query.map(({ name, example }) => [name, example])))]
      : []),
    ...(ORDERS.includes(id) ? [literal({ key: 'order-1' })] : []),
  ];
  const called = `registry.${groupName(group)}.${methodName(id)}(${joined(texts)})`;
  return given('query').some(({ name }) => name === 'after') && !FEEDS.includes(id)
    ? `for await (const item of ${called}) console.log(item);`
    : `const { data } = await ${called};`;
}

function inputOf(
  { schema, example }: { readonly schema: Json; readonly example: unknown },
  resolve: Api['resolve'],
) {
  const { wrappers } = unwrapBody(resolve(schema), resolve);
  return wrappers.reduce<unknown>((value, name) => members(value)[name], example);
}

const MAX_INLINE_LENGTH = 72;

/** Arguments on one line where they fit; otherwise an object alone opens its own lines. */
function joined(texts: readonly string[]): string {
  const inline = texts.join(', ');
  if (!inline.includes('\n') && inline.length <= MAX_INLINE_LENGTH) return inline;
  if (texts.length === 1) return inline;
  return `\n${texts.map((text) => `  ${text.replaceAll('\n', '\n  ')},\n`).join('')}`;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** A value as TypeScript that is easy to read. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(literal)
    : Object.entries(value).map(
        ([name, member]) => `${NAME.test(name) ? name : literal(name)}: ${literal(member)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const gap = isList || parts.length === 0 ? '' : ' ';
  const inline = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  if (!inline.includes('\n') && inline.length <= MAX_INLINE_LENGTH) return inline;
  return `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}${close}`;
}
