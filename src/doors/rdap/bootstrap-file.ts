import type { Policy } from '../../policy/policy.ts';
import { baseUrl } from './prefix.ts';

/** The entry of this service in the form of IANA's bootstrap file (RFC 9224), for clients that are given a file. */
export const bootstrapFile = (origin: string, { zones }: Pick<Policy, 'zones'>, now: Date) => ({
  version: '1.0',
  // By the day, so that the file changes no more often than it is worth fetching.
  publication: `${now.toISOString().slice(0, 10)}T00:00:00Z`,
  description: 'RDAP bootstrap file of the zones of this registry',
  services: [[zones.map((zone) => zone.origin), [baseUrl(origin)]]],
});
