import type { Charge } from '../ledger/charge.ts';
import type { RequestKey } from '../operations/idempotency.ts';
import type { Sql } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import type { Principal } from './actor.ts';

/** Everything an operation may know besides its input. Time is asked once, at the door. */
export type Context = {
  readonly principal: Principal;
  readonly now: Date;
  readonly requestId: string;
  readonly requestKey?: RequestKey | undefined;
  readonly dryRun: boolean;
  readonly policy: Policy;
  /** Where links in mails lead. */
  readonly publicUrl: string;
};

/** What a decision comes to: the answer, what it costs, and whatever else is to be written. */
export type Plan = { readonly answer: object; readonly charge?: Charge };

export type Request<Input> = { readonly input: Input; readonly context: Context };
export type Decided<P extends Plan> = { readonly plan: P; readonly context: Context };

/** One operation in three steps; see docs/architecture.md. */
export type Operation<Input, Loaded, P extends Plan> = {
  /** Many objects at once: loaded beside the short reads, not before them. */
  readonly bulk?: true;
  /** One query brings all that the decision needs. */
  load(db: Sql, input: Input, context: Context): Promise<Loaded>;
  /** A pure function; refuses by throwing Refused. */
  decide(loaded: Loaded, input: Input, context: Context): P;
  /** One statement writes all of it, the kept answer included, or nothing when the guard it rests on was lost. */
  persist(db: Sql, plan: P, context: Context): Promise<void>;
  /** The first and the third step for requests that come at the same time: one statement for all of them. */
  readonly together?: {
    load(db: Sql, requests: readonly Request<Input>[]): Promise<readonly Loaded[]>;
    persist(db: Sql, decided: readonly Decided<P>[]): Promise<void>;
  };
};
