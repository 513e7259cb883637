import { escapedText, joinedArguments, type LiteralSyntax, writeLiteral } from './literal.ts';
import type { Caller, SampleRequest } from './sample-request.ts';

const PYTHON: LiteralSyntax = {
  text: escapedText,
  name: escapedText,
  between: ': ',
  words: { true: 'True', false: 'False', null: 'None' },
  object: ['{', '}'],
  emptyObject: '{}',
  gap: '',
  indent: '    ',
};
const literal = (value: unknown): string => writeLiteral(value, PYTHON);

export function pythonSetup({ user }: Caller, hasBasic: boolean): string {
  if (hasBasic && user)
    return `import requests\n\nregistry = requests.Session()\nregistry.auth = (${literal(user.username)}, ${literal(user.password)})`;
  const signIn = hasBasic
    ? "registry.auth = (os.environ['API_USER'], os.environ['API_PASSWORD'])"
    : "registry.headers['Authorization'] = 'Bearer ' + os.environ['API_TOKEN']";
  return `import os\nimport requests\n\nregistry = requests.Session()\n${signIn}`;
}

/** The call by the package requests. */
export function pythonSample({ method, url, headers, body, isDocument }: SampleRequest): string {
  const texts = [
    literal(url),
    ...(Object.keys(headers).length > 0 ? [`headers=${literal(headers)}`] : []),
    ...(body === undefined ? [] : [`json=${literal(body)}`]),
  ];
  const called = `registry.${method.toLowerCase()}(${joinedArguments(texts, '    ')})`;
  return `answer = ${called}\nprint(answer.status_code, ${isDocument ? 'len(answer.content)' : 'answer.json()'})`;
}
