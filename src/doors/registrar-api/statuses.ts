import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { updateDomain } from '../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { nameIn } from './domain-path.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { STATUS_NAMES } from './render-refusals.ts';
import { renderNothing, renderStatus } from './render-results.ts';
import { Changed } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

export function statusEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  const shared = {
    group: 'Statuses',
    right: 'objects',
    path: '/domains/:domain_name/statuses/:status',
    names: STATUS_NAMES,
  } as const;
  const params = { domain_name: 'example.ee', status: 'clientHold' };
  const refusals = [
    'objectMissing',
    'objectGone',
    'notSponsor',
    'statusProhibits',
    'statusUnsupported',
  ] as const;
  return [
    endpoint({
      ...shared,
      id: 'setStatus',
      method: 'PUT',
      summary: 'Set clientHold: the domain leaves the zone',
      data: Changed({ domain: Type.String(), status: Type.Enum([...policy.domains.clientStatuses]) }),
      refusals,
      example: { params, data: { domain: 'example.ee', status: 'clientHold' } },
      handle: async ({ params: path, context }) =>
        perform(context, renderStatus(path.status), (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            {
              name: nameIn(path, policy),
              add: { statuses: [{ status: path.status, mayBePresent: true }] },
            },
            keyed,
          ),
        ),
    }),

    endpoint({
      ...shared,
      id: 'removeStatus',
      method: 'DELETE',
      summary: 'Remove clientHold; every other status stays',
      data: Changed({}),
      refusals: [...refusals, 'statusAbsent'],
      example: { params, data: {} },
      handle: async ({ params: path, context }) =>
        perform(context, renderNothing, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), remove: { statuses: [{ status: path.status }] } },
            keyed,
          ),
        ),
    }),
  ];
}
