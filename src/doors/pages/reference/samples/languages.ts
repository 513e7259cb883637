import { curl } from '../../../html/code-block.ts';
import { clientLines, clientSetup } from '../client-lines.ts';
import type { Api, Call } from '../model.ts';
import { javaSample, javaSetup } from './java.ts';
import { phpSample, phpSetup } from './php.ts';
import { pythonSample, pythonSetup } from './python.ts';
import { type Caller, type SampleRequest, sampleRequest } from './sample-request.ts';
import { fetchSample, fetchSetup } from './typescript.ts';

/** What samples of an API are made from. */
export type SampleContext = {
  readonly caller: Caller;
  readonly resolve: Api['resolve'];
  /** Whether the API uses Basic authentication; otherwise a token. */
  readonly hasBasic: boolean;
  /** Whether cadastre-sdk has its calls. */
  readonly hasClient: boolean;
};
type Language = {
  readonly id: string;
  readonly name: string;
  /** What Markdown calls it. */
  readonly fence: string;
  /** What stands once above the calls. */
  readonly setup?: (context: SampleContext) => string;
  readonly sample: (request: SampleRequest, call: Call, context: SampleContext) => string;
};

export const LANGUAGES = [
  {
    id: 'curl',
    name: 'curl',
    fence: 'sh',
    sample: (request, _call, { caller }) => curlSample(request, caller),
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    fence: 'ts',
    setup: ({ caller, hasBasic, hasClient }) =>
      hasClient ? clientSetup(caller) : fetchSetup(caller, hasBasic),
    sample: (request, call, { hasClient, resolve }) =>
      hasClient ? clientLines(call, resolve) : fetchSample(request),
  },
  {
    id: 'python',
    name: 'Python',
    fence: 'python',
    setup: ({ caller, hasBasic }) => pythonSetup(caller, hasBasic),
    sample: pythonSample,
  },
  {
    id: 'php',
    name: 'PHP',
    fence: 'php',
    setup: ({ caller, hasBasic }) => phpSetup(caller, hasBasic),
    sample: phpSample,
  },
  {
    id: 'java',
    name: 'Java',
    fence: 'java',
    setup: ({ caller, hasBasic }) => javaSetup(caller, hasBasic),
    sample: javaSample,
  },
] as const satisfies readonly Language[];

export type LanguageId = (typeof LANGUAGES)[number]['id'];
export const DEFAULT_LANGUAGE: LanguageId = 'curl';

export const languageOf = (id: LanguageId): Language =>
  LANGUAGES.find((language) => language.id === id) ?? LANGUAGES[0];

/** The documented example of a call in a language. */
export const sampleOf = (call: Call, language: Language, context: SampleContext): string =>
  language.sample(sampleRequest(call, context.caller, context.hasBasic), call, context);

/** The language that a query names; the first one if it names none that there is. */
export const readLanguage = (code: unknown): LanguageId =>
  LANGUAGES.find(({ id }) => id === code)?.id ?? DEFAULT_LANGUAGE;

const SHELL_USER = '"$API_USER:$API_PASSWORD"';

function curlSample({ method, url, headers, body, signIn }: SampleRequest, { user }: Caller): string {
  const token = signIn === 'token' ? { Authorization: 'Bearer TOKEN' } : {};
  return curl({
    ...(signIn === 'basic' && { user: user ? `${user.username}:${user.password}` : SHELL_USER }),
    method,
    url,
    headers: { ...token, ...headers },
    body,
  });
}
