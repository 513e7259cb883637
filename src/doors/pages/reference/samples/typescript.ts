import { escapedText, joinedArguments, type LiteralSyntax, writeLiteral } from './literal.ts';
import type { Caller, SampleRequest } from './sample-request.ts';

const NAME = /^[A-Za-z_$][\w$]*$/;

const TYPESCRIPT: LiteralSyntax = {
  text: escapedText,
  name: (name) => (NAME.test(name) ? name : escapedText(name)),
  between: ': ',
  words: { true: 'true', false: 'false', null: 'null' },
  object: ['{', '}'],
  emptyObject: '{}',
  gap: ' ',
  indent: '  ',
};

/** A value as TypeScript that is easy to read. */
export const typescriptLiteral = (value: unknown): string => writeLiteral(value, TYPESCRIPT);
export const typescriptArguments = (texts: readonly string[]): string => joinedArguments(texts, '  ');

/** Where there is no client: what every call sends. */
export function fetchSetup({ user }: Caller, hasBasic: boolean): string {
  if (!hasBasic) return "const authorization = 'Bearer ' + process.env.API_TOKEN;";
  const pair = user
    ? escapedText(`${user.username}:${user.password}`)
    : "process.env.API_USER + ':' + process.env.API_PASSWORD";
  return `const authorization = 'Basic ' + btoa(${pair});`;
}

/** A call by the fetch of the platform. */
export function fetchSample({ method, url, headers, body, signIn, isDocument }: SampleRequest): string {
  const sent = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const members = [
    ...(method === 'GET' ? [] : [`method: ${escapedText(method)}`]),
    ...(signIn === 'none' && Object.keys(sent).length === 0
      ? []
      : [`headers: ${headersOf(sent, signIn !== 'none')}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${typescriptLiteral(body)})`]),
  ];
  const inline = `{ ${members.join(', ')} }`;
  const options =
    inline.length <= 72 && !inline.includes('\n')
      ? inline
      : `{\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')},\n`).join('')}}`;
  const called = `await fetch(${[escapedText(url), ...(members.length > 0 ? [options] : [])].join(', ')})`;
  const read = isDocument ? 'arrayBuffer' : 'json';
  return `const answer = ${called};\nconsole.log(answer.status, await answer.${read}());`;
}

function headersOf(sent: Readonly<Record<string, string>>, isSignedIn: boolean): string {
  const named = Object.entries(sent).map(
    ([name, value]) => `${NAME.test(name) ? name : escapedText(name)}: ${escapedText(value)}`,
  );
  return `{ ${[...(isSignedIn ? ['authorization'] : []), ...named].join(', ')} }`;
}
