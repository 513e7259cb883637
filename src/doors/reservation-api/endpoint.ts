import type { Keyed } from '../../operations/stored-answers.ts';
import type { ReservationDependencies } from '../../reservations/dependencies.ts';
import type { KnownToken } from '../../reservations/tokens.ts';
import { type Endpoint, endpointMaker } from '../http/endpoint.ts';
import type { Dialect } from '../http/read-request.ts';
import { REQUEST_NAMES } from '../http/request-key.ts';
import type { PortalAccess } from './access.ts';
import { type RefusalName, refusal } from './reservation-api-refusals.ts';

export type ReservationApi = {
  readonly caller: KnownToken;
  readonly context: Keyed & { readonly caller: KnownToken };
  readonly refusal: RefusalName;
  readonly access: object;
};
export type ReservationEndpoint = Endpoint<ReservationApi>;
export type ReservationApiDependencies = {
  readonly reservations: ReservationDependencies;
  readonly access: Pick<PortalAccess, 'find'>;
};

type FormRefusal =
  | 'invalidDomainNames'
  | 'invalidUserUniqueId'
  | 'invalidInvoiceQuery'
  | 'invalidCustomerName';

/** The texts of this API are fixed per field. The number of names is reported before their content. */
export const refusalsByField =
  (names: Readonly<Record<string, FormRefusal>>, otherwise: FormRefusal): Dialect['refusalOf'] =>
  ({ path: [field = 'body'], keyword, node }) =>
    keyword === 'maxItems'
      ? refusal('tooManyNames', { most: Number(node.maxItems), field })
      : refusal(names[field] ?? otherwise, { field });

/** Members that a call does not know are ignored. */
export const endpoint = endpointMaker<ReservationApi>({
  isStrict: false,
  names: REQUEST_NAMES,
  refusalOf: refusalsByField({}, 'invalidDomainNames'),
});
