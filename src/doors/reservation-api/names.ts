import { isBlank, normaliseText } from '../../platform/values/normalise-text.ts';
import type { Policy } from '../../policy/policy.ts';
import { suggest } from '../../reservations/suggest-names.ts';
import { endpoint, type ReservationApiDependencies, type ReservationEndpoint } from './endpoint.ts';
import { NAME, OTHER_NAME } from './examples.ts';
import { refuse } from './reservation-api-refusals.ts';
import { Variants } from './schemas.ts';

const ORGANIZATION_NAME = /^[\p{L}\p{N}\s-]+$/u;
/** A character may be a letter with combining marks, each of up to two UTF-16 units. */
const MAX_UNITS_PER_CHARACTER = 6;

/** Name suggestions for an organisation. */
export const nameEndpoints = ({
  reservations: { database, policy },
}: ReservationApiDependencies): ReservationEndpoint[] => [
  endpoint({
    id: 'suggestNames',
    method: 'GET',
    path: '/domain_names/:organization_name',
    group: 'Names',
    summary: 'Names for an organisation that are free now',
    data: Variants,
    refusals: ['invalidOrganizationName'],
    example: {
      params: { organization_name: 'Kohvik Õnn OÜ' },
      data: { variants: [NAME, OTHER_NAME] },
    },
    handle: async ({ params, context: { now } }) => {
      const name = requireOrganizationName(params.organization_name, policy);
      return { data: { variants: await suggest(database.reads, name, { policy, now }) } };
    },
  }),
];

export function requireOrganizationName(text: string, { reservations }: Policy): string {
  const most = reservations.organizationNameLength;
  const name = normaliseText(text, MAX_UNITS_PER_CHARACTER * most);
  if (name === undefined || [...name].length > most || isBlank(name) || !ORGANIZATION_NAME.test(name))
    return refuse('invalidOrganizationName');
  return name;
}
