import type { Parameter } from '../../pages/reference/model.ts';
import { fieldName, signInOf, type TriedCall } from './trial-form.ts';

/** A request to this server. The path is one of the documented ones; the host is not part of it. */
export type TrialRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** What was sent, by the name of the field. */
export type Values = (name: string) => string;
export type Faults = Readonly<Record<string, string>>;

const HEADER_VALUE = /^[\x20-\x7e]*$/;
/** Segments that change where a path leads. */
const STEPS = ['', '.', '..'];

/** The request that a form describes, or what is wrong with its fields; what the API refuses is not checked here. */
export function readTrial(tried: TriedCall, values: Values): { request: TrialRequest } | { faults: Faults } {
  const { call } = tried;
  const placed = (place: string) => call.parameters.filter((parameter) => parameter.place === place);
  const given = (parameter: Parameter) => values(fieldName(parameter));
  const faults = Object.fromEntries([
    ...placed('path')
      .filter((parameter) => STEPS.includes(given(parameter)))
      .map((parameter) => [fieldName(parameter), `${parameter.name} names no object`]),
    ...[...placed('header').map(fieldName), 'token']
      .filter((name) => !HEADER_VALUE.test(values(name)))
      .map((name) => [name, 'A header has printable ASCII characters only']),
  ]);
  if (Object.keys(faults).length > 0) return { faults };
  const path = placed('path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, () => encodeURIComponent(given(parameter))),
    call.path,
  );
  const sent = (place: string) =>
    placed(place)
      .map((parameter): [string, string] => [parameter.name, given(parameter)])
      .filter(([, value]) => value !== '');
  const query = new URLSearchParams(sent('query')).toString();
  const text = call.body ? values('body').replaceAll('\r\n', '\n') : '';
  const body = text === '' ? undefined : text;
  return {
    request: {
      method: call.method,
      path: query === '' ? path : `${path}?${query}`,
      body,
      headers: {
        ...authorization(tried, values),
        ...Object.fromEntries(sent('header')),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
    },
  };
}

function authorization(tried: TriedCall, values: Values): Record<string, string> {
  const [user, password, token] = ['user', 'password', 'token'].map(values);
  switch (signInOf(tried)) {
    case 'basic':
      return user === ''
        ? {}
        : { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
    case 'token':
      return token === '' ? {} : { Authorization: `Bearer ${token}` };
    default:
      return {};
  }
}
