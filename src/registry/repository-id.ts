import type { Policy } from '../policy/policy.ts';

/** The identifier of an object in the registry's repository (RFC 5730, 2.8), also its handle in RDAP. */
export const repositoryId = (
  letter: 'D' | 'C',
  id: number,
  { repositoryId: suffix }: Pick<Policy, 'repositoryId'>,
): string => `${letter}${id}-${suffix}`;
