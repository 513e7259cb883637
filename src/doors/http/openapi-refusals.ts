import { isDeepStrictEqual } from 'node:util';
import { http } from '../../platform/node-http.ts';
import type { DescribedEndpoint } from './endpoint.ts';
import { pascalCase } from './name-cases.ts';
import type { Components, Json } from './openapi-components.ts';
import type { ApiDescription } from './openapi-description.ts';

/** An answer with a status, and the refusals that have it. */
type Described<Name extends string> = {
  readonly status: number;
  readonly refused: readonly {
    readonly name: Name;
    readonly body: object;
    readonly headers?: Readonly<Record<string, string>>;
    /** Whether its example is the same in all calls. */
    readonly isAlike: boolean;
  }[];
};

const HEADER_TEXTS: Readonly<Record<string, string>> = {
  'retry-after': 'seconds after which to try again',
  'www-authenticate': 'how to authenticate',
};

export const requestIdHeader = (components: Components): Json => ({
  'X-Request-Id': components.share('headers', 'RequestId', {
    description: "the client's own id where it was sane, else a new one",
    schema: { type: 'string' },
  }),
});

/** One response per status, with an example of each refusal that has it; those that calls have in common are shared. */
export function describeRefusals<Name extends string>(
  endpoint: DescribedEndpoint<Name>,
  api: ApiDescription<Name>,
  components: Components,
): Record<string, Json> {
  const names = [...new Set([...api.everyCall, ...api.commonRefusals(endpoint), ...endpoint.refusals])];
  const rendered = names.map((name) => {
    const example = api.exampleOf(name, endpoint);
    return {
      name,
      isAlike: isDeepStrictEqual(example, api.exampleOf(name)),
      ...api.renderRefusals([example]),
    };
  });
  const answers = [...Map.groupBy(rendered, ({ status }) => status)].map(
    ([status, refused]): Described<Name> & { shared: string | undefined } => ({
      status,
      refused,
      shared: endpoint.isBulk ? undefined : sharedName({ status, refused }, api.everyCall),
    }),
  );
  const own = {
    call: endpoint.id,
    refusals: answers
      .filter(({ shared }) => shared === undefined)
      .flatMap(({ refused }) => refused.map(({ name }) => name)),
  };
  return Object.fromEntries(
    answers.map(({ shared, ...answer }) => {
      if (shared === undefined) return [answer.status, describeAnswer(answer, own, api, components)];
      const common = { call: undefined, refusals: answer.refused.map(({ name }) => name) };
      const described = describeAnswer(answer, common, api, components);
      return [answer.status, components.share('responses', shared, described)];
    }),
  );
}

/** The name of an answer that many calls have: all refusals of its status are common to all calls, or there is one. */
function sharedName<Name extends string>(
  { status, refused }: Described<Name>,
  everyCall: readonly Name[],
): string | undefined {
  if (!refused.every(({ isAlike }) => isAlike)) return undefined;
  if (refused.every(({ name }) => everyCall.includes(name)))
    return pascalCase(http.STATUS_CODES[status] ?? '');
  const [first, ...others] = refused;
  return first && others.length === 0 ? pascalCase(first.name) : undefined;
}

function describeAnswer<Name extends string>(
  { status, refused }: Described<Name>,
  named: { readonly call: string | undefined; readonly refusals: readonly Name[] },
  api: ApiDescription<Name>,
  components: Components,
): Json {
  const headers = [...new Set(refused.flatMap((each) => Object.keys(each.headers ?? {})))];
  return {
    description: api.statusTexts[status],
    headers: {
      ...requestIdHeader(components),
      ...Object.fromEntries(headers.map((name) => [headerName(name), describeHeader(name, components)])),
    },
    content: {
      'application/json': {
        schema: components.referTo(api.failureSchema(status, named)),
        examples: Object.fromEntries(
          refused.map(({ name, body, isAlike }) => {
            const example = { summary: api.catalogue[name]?.when, value: body };
            return [name, isAlike ? components.share('examples', name, example) : example];
          }),
        ),
      },
    },
  };
}

const headerName = (name: string): string =>
  name === 'www-authenticate' ? 'WWW-Authenticate' : capitalised(name);
const capitalised = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('-');

const describeHeader = (name: string, components: Components): Json =>
  components.share('headers', pascalCase(name), {
    description: HEADER_TEXTS[name] ?? name,
    schema: { type: 'string' },
  });
