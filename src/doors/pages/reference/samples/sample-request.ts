import type { Call } from '../model.ts';

/** Where calls are sent, and by whom in a sandbox. */
export type Caller = {
  readonly origin: string;
  /** Name and password of a user that everybody may know. */
  readonly user: { readonly username: string; readonly password: string } | undefined;
};
export type SignIn = 'none' | 'basic' | 'token';
/** The documented example of a call, as every language sends it. */
export type SampleRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signIn: SignIn;
  /** Whether the answer is something to print instead of JSON. */
  readonly isDocument: boolean;
};

/** Orders that must survive a crash of the program; for other changes the client's own key suffices. */
export const ORDERS: readonly string[] = ['createDomain', 'renewDomain', 'renewDomains', 'addCredit'];
export const ORDER_KEY = 'order-1';

export function sampleRequest(call: Call, { origin }: Caller, hasBasic: boolean): SampleRequest {
  const { id, method, path, parameters, body, answers, isOpen } = call;
  const given = (place: string) =>
    parameters.filter((each) => each.place === place && each.example !== undefined);
  const filled = given('path').reduce(
    (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(
    given('query').map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const success = answers.find(({ status }) => status.startsWith('2'));
  return {
    method,
    url: `${origin}${filled}${query && `?${query}`}`,
    headers: {
      ...Object.fromEntries(given('header').map(({ name, example }) => [name, String(example)])),
      ...(ORDERS.includes(id) && { 'Idempotency-Key': ORDER_KEY }),
    },
    body: body?.example,
    signIn: isOpen ? 'none' : hasBasic ? 'basic' : 'token',
    isDocument: success !== undefined && success.schema === undefined,
  };
}
