import type { Policy } from '../../policy/policy.ts';
import { GUIDE_OF_APIS } from '../guide-links.ts';
import type { DescribedEndpoint } from '../http/endpoint.ts';
import { IDEMPOTENCY_KEY } from '../http/openapi.ts';
import type { ApiDescription } from '../http/openapi-description.ts';
import { RESERVATION_PREFIX } from './prefix.ts';
import { renderRefusals } from './render-refusals.ts';
import { catalogue, type RefusalName, refusal } from './reservation-api-refusals.ts';
import { Failure } from './schemas.ts';

const EVERY_CALL: readonly RefusalName[] = [
  'portalUnauthorized',
  'portalRateExceeded',
  'fault',
  'maintenance',
  'overload',
  'databaseAway',
  'clockWrong',
];
const EVERY_CHANGE: readonly RefusalName[] = ['malformedJson', 'otherFormat', 'bodyTooLarge', 'keyReused'];

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  401: 'Token or address are not accepted',
  404: 'There is no such reservation',
  413: 'The body is too large',
  422: 'The request cannot be carried out',
  429: 'Too many requests, failures, or reservations that do not exist; Retry-After tells how long to wait',
  500: 'A fault of ours',
  502: 'No invoice can be issued at the moment',
  503: 'Maintenance, overload, the database is away, or a clock is wrong',
};

/** The parts of the OpenAPI document that do not come from the endpoints. */
export const reservationDescription = (policy: Policy): ApiDescription<RefusalName> => {
  const { mostNames, organizationNameLength, freeDays, paidYears } = policy.reservations;
  return {
    prefix: RESERVATION_PREFIX,
    title: 'Cadastre reservation API',
    guide: GUIDE_OF_APIS.reservation,
    summary: 'Domain names for founders, reserved by the business portal',
    description:
      'Every call needs a token and an address that is on the list of the registry. Errors are {"error": text}. Every answer carries X-Request-Id.',
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description:
          'a token that the registry has made; beside it the address of the caller must be on its list',
      },
    },
    groups: {
      Names: 'Names that fit an organisation',
      'Free reservations': `For ${freeDays} days`,
      'Paid reservations': `For ${paidYears === 1 ? 'a year' : `${paidYears} years`} from the payment`,
    },
    pathParameters: {
      organization_name: `letters, digits, whitespace and hyphens, ${organizationNameLength} characters at the most; legal forms are left out`,
      user_unique_id: 'what the reservation was answered with',
    },
    changeHeaders: [IDEMPOTENCY_KEY],
    catalogue,
    everyCall: EVERY_CALL,
    commonRefusals: ({ mutates }: DescribedEndpoint) => (mutates ? EVERY_CHANGE : []),
    exampleOf: (name) =>
      refusal(name, {
        field: 'domain_names',
        expected: 'a list',
        most: mostNames,
        requestId: '7c9e6679-7425',
        mebibytes: 1,
      }),
    renderRefusals,
    statusTexts: STATUS_TEXTS,
    failureSchema: () => Failure,
  };
};
