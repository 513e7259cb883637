import type { Database } from '../../../platform/database/database.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { RegistrarEndpoint } from '../endpoint.ts';

export type CallDependencies = {
  readonly database: Database;
  readonly policy: Policy;
  /** The ordinary call of an id. */
  readonly find: (id: string) => RegistrarEndpoint;
  /** What the documents say about it: a call that stands in its place keeps that. */
  readonly described: (
    id: string,
  ) => Omit<RegistrarEndpoint, 'query' | 'body' | 'read' | 'hasBody' | 'mutates'>;
};

/** The incumbent's lists have no limit. */
export const MAX_LISTED = 10_000;
