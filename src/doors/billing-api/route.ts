import type { Caller } from '../../billing/context.ts';
import type { Outcome } from '../../operations/run-operation.ts';

/** One call of the billing API. Everything else is the same for all. */
export type BillingRoute = {
  readonly path: string;
  /** What a success answers. */
  readonly status: 200 | 201;
  /** The largest body, where it is not the usual one. */
  readonly bodyLimit?: number;
  /** May take longer than a call about one invoice. */
  readonly isBulk?: true;
  handle(body: unknown, caller: Caller): Promise<Outcome>;
};
