import { FEEDS, fixedBody, groupName, methodName, unwrapBody } from './client-names.ts';
import { type Api, type Call, type Json, members } from './model.ts';
import { type Caller, ORDER_KEY, ORDERS } from './samples/sample-request.ts';
import { typescriptArguments, typescriptLiteral as literal } from './samples/typescript.ts';

export function clientSetup({ origin, user }: Caller): string {
  const options = user
    ? `{\n  baseUrl: ${literal(origin)},\n  username: ${literal(user.username)},\n  password: ${literal(user.password)},\n}`
    : `{ baseUrl: ${literal(origin)}, username, password }`;
  return `import { Registry } from 'cadastre-sdk';\n\nconst registry = new Registry(${options});`;
}

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
    ...(ORDERS.includes(id) ? [literal({ key: ORDER_KEY })] : []),
  ];
  const called = `registry.${groupName(group)}.${methodName(id)}(${typescriptArguments(texts)})`;
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
