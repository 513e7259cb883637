import type { Charge } from '../ledger/charge.ts';
import type * as operations from '../operations/in-statement.ts';
import type { OperationContext } from '../operations/run-operation.ts';
import type { Cents } from '../platform/values/money.ts';
import type { Policy } from '../policy/policy.ts';
import type { Principal } from './actor.ts';
import type { LegalDocument } from './legal-documents.ts';

/** Everything an operation may use besides its input. The clock is read once per request, on arrival. */
export type Context = OperationContext & {
  readonly principal: Principal;
  readonly requestId: string;
  /** The client's own id of the request; clients repeat theirs. */
  readonly clientTransactionId?: string | undefined;
  /** Stored with the objects that the request changes. */
  readonly legalDocument?: LegalDocument | undefined;
  readonly policy: Policy;
  /** The price that the client expects; another one is refused. */
  readonly agreedPrice?: Cents | undefined;
  /** Base URL of links in mails. */
  readonly publicUrl: string;
};

/** The result of a decision: the answer, the charge, and whatever else is to be written. */
export type Plan<Answer = unknown> = { readonly answer: Answer; readonly charge?: Charge };

export type Request<Input> = operations.Request<Input, Context>;
export type Decided<P extends Plan> = operations.Decided<P, Context>;
export type Operation<Input, Loaded, P extends Plan> = operations.Operation<Input, Loaded, P, Context>;
