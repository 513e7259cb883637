import type { Field } from '../../html/form.ts';
import { type Api, type Call, members, type Parameter } from '../../pages/reference/model.ts';

/** What the form of a call begins with. */
export type SeedCredentials = {
  readonly user: string;
  readonly password: string;
  /** Bearer tokens, by the name of the API. */
  readonly tokens: Readonly<Record<string, string>>;
};

/** A call that can be tried, with the API that it belongs to. */
export type TriedCall = { readonly apiName: string; readonly api: Api; readonly call: Call };

/** How a call identifies its sender. */
export const signInOf = ({ api, call }: TriedCall): 'none' | 'basic' | 'token' =>
  call.isOpen ? 'none' : api.hasBasic ? 'basic' : 'token';

const MAX_LENGTH = 4_000;
const MAX_BODY_LINES = 24;
const NOT_SENT: readonly [string, string] = ['', 'not sent'];

/** The fields of a call's form, with the documented example in them. */
export function trialFields(tried: TriedCall, seed: SeedCredentials): Field[] {
  const { call } = tried;
  const example = JSON.stringify(call.body?.example, null, 2) ?? '';
  const lines = Math.min(example.split('\n').length + 1, MAX_BODY_LINES);
  return [
    ...signInFields(tried, seed),
    ...call.parameters.map((parameter) => parameterField(parameter, tried.api)),
    ...(call.body ? [{ name: 'body', label: 'Body, as JSON', lines, isOptional: true, value: example }] : []),
  ];
}

function signInFields(tried: TriedCall, { user, password, tokens }: SeedCredentials): Field[] {
  const optional = { isOptional: true, maxLength: MAX_LENGTH, autocomplete: 'off' };
  switch (signInOf(tried)) {
    case 'basic':
      return [
        { ...optional, name: 'user', label: 'User', value: user },
        { ...optional, name: 'password', label: 'Password', value: password },
      ];
    case 'token':
      return [{ ...optional, name: 'token', label: 'Token', value: tokens[tried.apiName] ?? '' }];
    default:
      return [];
  }
}

export const fieldName = ({ place, name }: Parameter): string => `${place}.${name}`;

function parameterField(parameter: Parameter, { resolve }: Api): Field {
  const { name, place, required, description, example, schema } = parameter;
  const { type, enum: values } = members(resolve(schema));
  const listed =
    type === 'boolean' ? ['true', 'false'] : Array.isArray(values) ? values.map(String) : undefined;
  const isOptional = !(required || place === 'path');
  return {
    name: fieldName(parameter),
    label: place === 'header' ? `Header ${name}` : name,
    isOptional,
    maxLength: MAX_LENGTH,
    autocomplete: 'off',
    value: example === undefined ? '' : String(example),
    ...(description !== '' && { hint: description }),
    ...(listed && {
      choices: [...(isOptional ? [NOT_SENT] : []), ...listed.map((value) => [value, value] as const)],
    }),
  };
}
