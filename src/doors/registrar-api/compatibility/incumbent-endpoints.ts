import type { Database } from '../../../platform/database/database.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { RegistrarEndpoint } from '../endpoint.ts';
import { accountCalls, accountDetailCalls } from './account-calls.ts';
import { adminContactCall, bulkCalls } from './bulk-calls.ts';
import type { CallDependencies } from './calls.ts';
import { contactCalls, emptiedContactUpdate } from './contact-calls.ts';
import { domainCalls, emptiedDomainChange } from './domain-calls.ts';
import { domainUpdateCall } from './incumbent-domain-update.ts';
import { messageCalls } from './message-calls.ts';

export type CompatibilityCalls = {
  /** Each stands in place of the ordinary call of its id, with its path, right and description. */
  readonly byId: ReadonlyMap<string, RegistrarEndpoint>;
  /** The incumbent's own: there is no ordinary call of their paths. */
  readonly additional: readonly RegistrarEndpoint[];
  /** For changes of which nothing was left. */
  readonly emptiedContactUpdate: RegistrarEndpoint;
  readonly emptiedDomainChange: RegistrarEndpoint;
};

/** The calls of the profile that take or answer more than the ordinary ones. None is in the API document. */
export function compatibilityCalls(
  ordinary: readonly RegistrarEndpoint[],
  parts: { readonly database: Database; readonly policy: Policy },
): CompatibilityCalls {
  const find = (id: string): RegistrarEndpoint => {
    const found = ordinary.find((each) => each.id === id);
    if (!found) throw new Error(`there is no call ${id}`);
    return found;
  };
  const described: CallDependencies['described'] = (id) => {
    const { query: _query, body: _body, read: _read, ...description } = find(id);
    return description;
  };
  const dependencies = { ...parts, find, described };
  const instead = [
    ...accountCalls(dependencies),
    ...messageCalls(dependencies),
    ...contactCalls(dependencies),
    ...domainCalls(dependencies),
    domainUpdateCall(dependencies),
    ...bulkCalls(dependencies),
  ];
  return {
    byId: new Map(instead.map((each) => [each.id, each])),
    additional: [...accountDetailCalls(dependencies), adminContactCall(dependencies)],
    emptiedContactUpdate: emptiedContactUpdate(dependencies),
    emptiedDomainChange: emptiedDomainChange(dependencies),
  };
}
