import type { Billing, Caller } from '../../billing/context.ts';
import type { Initiator } from '../../billing/invoices/invoice.ts';
import type { NamedRefusal } from '../../operations/named-refusal.ts';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import { type Endpoint, endpointMaker } from '../http/endpoint.ts';
import type { Failure } from '../http/validation.ts';
import { type RefusalName, refusal } from './billing-api-refusals.ts';
import { prepareBody } from './prepare-body.ts';
import { NAMES } from './render-refusals.ts';
import { MAX_TEXT_LENGTH } from './schemas.ts';

export type BillingApi = {
  readonly caller: Initiator;
  readonly context: Caller;
  readonly refusal: RefusalName;
  readonly access: object;
};
export type BillingEndpoint = Endpoint<BillingApi>;
export type BillingDependencies = { readonly billing: Billing };

/** Schema failures as texts of this API, which continue the name of the field. */
const refusalOf = (failure: Failure): NamedRefusal => invalid(fieldOf(failure.path), problemOf(failure));

export const invalid = (field: string, problem: string): NamedRefusal =>
  refusal('invalidField', { field, problem });

const COUNTS: ReadonlySet<string> = new Set(['minItems', 'maxItems']);

function problemOf({ problem, keyword, node, value }: Failure): string {
  const expected = node['x-expected'];
  if (keyword === 'required') return 'is missing';
  if (node.type === 'array' && !COUNTS.has(keyword)) return `must be ${expected ?? 'an array'}`;
  if (keyword === 'enum') return `must be one of ${(node.enum as readonly string[]).join(', ')}`;
  if (problem === 'missing') return 'must be filled';
  if (keyword === 'maxItems') return `must have at most ${node.maxItems} entries`;
  if (keyword === 'maxLength') {
    // Above the general maximum the refusal names that one, whatever the field's own maximum is.
    const isAboveGeneralMax = typeof value === 'string' && value.length > MAX_TEXT_LENGTH;
    return `must have at most ${isAboveGeneralMax ? MAX_TEXT_LENGTH : node.maxLength} characters`;
  }
  switch (node.type) {
    case 'object':
      return 'must be an object';
    case 'boolean':
      return 'must be true or false';
    default:
      return keyword === 'type' ? 'must be a string' : `must be ${expected}`;
  }
}

/** `invoice_data[0].customer.code` */
const fieldOf = (path: readonly string[]): string =>
  path.reduce(
    (way, step) => (/^\d+$/.test(step) ? `${way}[${step}]` : way === '' ? step : `${way}.${step}`),
    '',
  ) || 'body';

/** Members that a call does not know are ignored. */
export const dialect = { isStrict: false, refusalOf, prepare: prepareBody, names: NAMES } as const;
export const endpoint = endpointMaker<BillingApi>(dialect);

/** The input, unless there are refusals. */
export const parsed = <T>(value: T, ...refusals: readonly (readonly Refusal[])[]): Parsed<T> => {
  const all = refusals.flat();
  return all.length > 0 ? { refusals: all } : { value };
};

/** An initiator named in a body must be the caller. */
export const checkInitiator = (
  field: string,
  named: string | undefined,
  caller: Initiator,
): NamedRefusal[] =>
  named !== undefined && named !== caller ? [invalid(field, 'is not the initiator of your token')] : [];
