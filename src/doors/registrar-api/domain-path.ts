import type { Policy } from '../../policy/policy.ts';
import { parseDomainName } from '../../registry/names/name.ts';
import { refuse } from './refusals.ts';

/** The name in a path, as it is stored; an invalid one leads to no domain. */
export const nameIn = ({ domain_name: text }: { readonly domain_name: string }, policy: Policy): string =>
  parseDomainName(text, policy)?.unicode ?? refuse('objectMissing');
