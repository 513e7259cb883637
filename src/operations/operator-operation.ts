import { channel } from 'node:diagnostics_channel';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { inStatement, type Operation } from './in-statement.ts';
import { inTransaction } from './in-transaction.ts';
import { checkReason, type Reason } from './reason.ts';
import { Refused, requireNone } from './refusal.ts';
import {
  answerOf,
  type OperationContext,
  type Outcome,
  type Plan,
  runOperation,
  type Store,
  storeOn,
  type Variant,
} from './run-operation.ts';

/** What members of the registry's staff may have a right to. */
export const OPERATOR_RIGHTS = {
  registrars: 'registrars, their users, people, addresses and certificates',
  objects: 'domains and contacts',
  names: 'reserved, blocked and disputed names',
  prices: 'prices',
  money: 'invoices, payments, bank lines and accounts',
  zones: 'zones as published, secondaries and their keys',
  services: 'tokens of the portal, requesters of look-ups, webhooks and what is sent to others',
  operation: 'jobs, maintenance, authorities of certificates, copies and recovery',
} as const;
export type OperatorRight = keyof typeof OPERATOR_RIGHTS;

/** Who changes something for the registry, or for one registrar, and why. */
export type OperatorContext = OperationContext & {
  readonly actor: string;
  readonly reason?: Reason | undefined;
  /** Of the request by which a person changed it on a page. */
  readonly requestId?: string | undefined;
  /** Only what belongs to this registrar is changed: a person of it has no right to more. */
  readonly registrarId?: number | undefined;
  readonly policy: Policy;
};

export type OperatorDescription = {
  /** As in the list of operations, such as `suspend registrar`. */
  readonly name: string;
  readonly right: OperatorRight;
  /** The names of all refusals that it may end in, besides those of its reason. */
  readonly refusals: readonly string[];
};

/** What an operator does, from whichever interface. */
export type OperatorOperation<Input, Answer> = OperatorDescription & {
  variant(input: Input, context: OperatorContext): Variant<Answer, OperatorContext>;
};

/** One that can be a part of a transaction, which is retried as a whole. */
export type ComposableOperation<Input, Answer> = OperatorOperation<Input, Answer> & {
  within(db: Pool, input: Input, context: OperatorContext): Promise<Answer>;
};

/** An operation that loads, decides and persists. */
export const operatorOperation = <Input, Loaded, P extends Plan>(
  description: OperatorDescription,
  steps: Operation<Input, Loaded, P, OperatorContext>,
): ComposableOperation<Input, P['answer']> => ({
  ...description,
  variant: (input) => inStatement(steps, input),
  async within(db, input, context) {
    const plan = steps.decide(await steps.load(db, input, context), input, context);
    await steps.persist(db, plan, context);
    return plan.answer;
  },
});

type TransactionSteps<Input, Answer, Prepared> = {
  /** Work that must not run while locks are held. */
  readonly prepare?: (input: Input, context: OperatorContext, db: Sql) => Promise<Prepared>;
  /** Locks rows in the order of their ids. A dry run is rolled back. */
  readonly transact: (
    db: Pool,
    input: Input,
    context: OperatorContext,
    prepared: Prepared,
  ) => Promise<Answer>;
};

/** The same for work that needs more than one statement. */
export const operatorTransaction = <Input, Answer, Prepared = undefined>(
  description: OperatorDescription,
  { prepare, transact }: TransactionSteps<Input, Answer, Prepared>,
): OperatorOperation<Input, Answer> => ({
  ...description,
  variant: (input, context) =>
    inTransaction<Answer, OperatorContext, Prepared>({
      ...(prepare && { prepare: (db) => prepare(input, context, db) }),
      transact: (db, prepared) => transact(db, input, context, prepared),
    }),
});

const refusedChannel = channel('cadastre.operator-operation.refused');
export type RefusedOperation = {
  readonly operation: string;
  readonly isListed: boolean;
  readonly refusal: string;
};

export async function runOperatorOperation<Input, Answer>(
  store: Store,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
  context: OperatorContext,
): Promise<Outcome<Answer>> {
  requireNone(checkReason(context.reason, context.policy));
  try {
    return await runOperation(store, operation.variant(input, context), context);
  } catch (error) {
    if (error instanceof Refused) publishRefusals(operation, error);
    throw error;
  }
}

function publishRefusals({ name, refusals }: OperatorDescription, refused: Refused): void {
  if (!refusedChannel.hasSubscribers) return;
  for (const { name: refusal } of refused.refusals) {
    const told: RefusedOperation = { operation: name, refusal, isListed: refusals.includes(refusal) };
    refusedChannel.publish(told);
  }
}

/** The same on one pool, for what has no key. */
export const carryOut = async <Input, Answer>(
  pool: Pool,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
  context: OperatorContext,
): Promise<Answer> => answerOf(await runOperatorOperation(storeOn(pool), operation, input, context));
