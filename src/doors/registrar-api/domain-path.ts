import type { Policy } from '../../policy/policy.ts';
import { parseDomainName } from '../../registry/names/name.ts';
import { refuse } from './registrar-api-refusals.ts';

/** The stored form of the name in a path; an invalid name is treated as unknown. */
export const nameIn = ({ domain_name: text }: { readonly domain_name: string }, policy: Policy): string =>
  parseDomainName(text, policy)?.unicode ?? refuse('objectMissing');
