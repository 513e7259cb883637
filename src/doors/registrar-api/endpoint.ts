import type { NamedRefusal } from '../../operations/named-refusal.ts';
import type { Principal, Right } from '../../registry/actor.ts';
import type { Context } from '../../registry/operation.ts';
import { type Endpoint, endpointMaker } from '../http/endpoint.ts';
import { REQUEST_NAMES } from '../http/request-key.ts';
import type { Failure } from '../http/validation.ts';
import { type RefusalName, refusal } from './registrar-api-refusals.ts';

export type RegistrarApi = {
  readonly caller: Principal;
  readonly context: Context;
  readonly refusal: RefusalName;
  readonly access: { readonly right: Right };
};
export type RegistrarEndpoint = Endpoint<RegistrarApi>;

const MAX_FIELD_LENGTH = 200;

/** Schema failures in the codes of this API. */
function refusalOf({ problem, path, expected }: Failure): NamedRefusal {
  const field = path.join('.').slice(0, MAX_FIELD_LENGTH) || 'body';
  switch (problem) {
    case 'missing':
      return refusal('fieldMissing', { field });
    case 'unknown':
      return refusal('unknownField', { field });
    case 'range':
      return refusal('outOfRange', { field, expected });
    case 'form':
      return refusal('wrongSyntax', { field, expected });
  }
}

export const endpoint = endpointMaker<RegistrarApi>({ isStrict: true, refusalOf, names: REQUEST_NAMES });
