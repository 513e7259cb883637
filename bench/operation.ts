import type { World } from './world.ts';

/**
 * One row of the benchmark: a name, and where its requests come from, one call per request. Baseline and product are
 * asked from two sources of their own, so that what one has used up is not missing from the other.
 */
export type Operation = {
  readonly name: string;
  readonly kind: 'read' | 'write' | 'page';
  readonly requests: (world: World) => () => Buffer;
  /** 16 where nothing is said. */
  readonly sockets?: number;
  /** Each request takes one of the objects that were loaded for it: no more can be made than there are. */
  readonly isFinite?: boolean;
  /** Over TLS, by a user with a client certificate. */
  readonly secure?: boolean;
  /** Set for a command of EPP, which is secure too: the REST call over TLS that it is measured against. */
  readonly rest?: { readonly call: string; readonly requests: (world: World) => () => Buffer };
};
