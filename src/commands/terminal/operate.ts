import type { Command } from 'commander';
import {
  type OperatorContext,
  type OperatorDescription,
  type OperatorOperation,
  runOperatorOperation,
} from '../../operations/operator-operation.ts';
import type { Reason } from '../../operations/reason.ts';
import { Refused } from '../../operations/refusal.ts';
import { answerOf, type Store, storeOn } from '../../operations/run-operation.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { escapeInvisible } from '../../platform/values/normalise-text.ts';
import { policy } from '../../policy/installed.ts';
import { OPERATOR_OPTIONS, renderRefusals } from '../render-refusals.ts';
import type { Changing } from './changing.ts';
import { operatorName } from './operator-name.ts';
import { CommandError } from './output.ts';
import { SHARED, type WholeCommandContext, withWholeDatabase } from './with-database.ts';

const operations = new WeakMap<Command, readonly OperatorDescription[]>();

/** The operations that a command runs. */
export const operationsOf = (command: Command): readonly OperatorDescription[] =>
  operations.get(command) ?? [];

type Wanted = {
  /** What `--reason` is for, where it is more than kept in history. */
  readonly about?: string;
  readonly isRequired?: true;
};

/** A command of an operation: it has the options of a reason. */
export function operating(
  command: Command,
  operation: OperatorDescription | readonly OperatorDescription[],
  { about = 'kept in history', isRequired }: Wanted = {},
): Command {
  operations.set(command, [operation].flat());
  const flags = '--reason <text>';
  if (isRequired) command.requiredOption(flags, about);
  else command.option(flags, about);
  return command
    .option('--reason-code <code>', `one of ${policy.reasons.join(', ')}`)
    .option('--for-registrar <text>', 'the reason as the registrar is told it')
    .option('--case <number>', 'of the file that it belongs to');
}

/** Options of a command of an operation. */
export type Operating = Changing & {
  readonly reason?: string;
  readonly reasonCode?: string;
  readonly forRegistrar?: string;
  readonly case?: string;
};

function reasonOf({ reason, reasonCode, forRegistrar, case: caseNumber }: Operating): Reason | undefined {
  const given = { text: reason, code: reasonCode, forRegistrar, caseNumber };
  return Object.values(given).some((value) => value !== undefined) ? given : undefined;
}

/** What a command does with operations on one database, at one time. */
export type Operator = Pick<WholeCommandContext, 'database' | 'kind'> & {
  readonly now: Date;
  run<Input, Answer>(operation: OperatorOperation<Input, Answer>, input: Input): Promise<Answer>;
};

/** Runs operations for the operator at the terminal: on the configured database, if the clock is right. */
export const withOperator = <T>(options: Operating, work: (operator: Operator) => Promise<T>): Promise<T> =>
  withWholeDatabase(async ({ database, kind, rightClock }) => {
    const now = (await rightClock()).now();
    return work({ database, kind, now, run: runnerOn(database.writes, now, options) });
  }, SHARED);

/** Runs operations for the operator at the terminal on another connection, such as that of the owner of the schema. */
export function runnerOn(pool: Pool, now: Date, options: Operating): Operator['run'] {
  const store = storeOn(pool);
  const context: OperatorContext = {
    actor: operatorName(),
    now,
    policy,
    dryRun: options.dryRun ?? false,
    reason: reasonOf(options),
  };
  return (operation, input) => runAsCommand(store, operation, input, context);
}

/** Runs one operation for the operator at the terminal. */
export const operate = <Input, Answer>(
  operation: OperatorOperation<Input, Answer>,
  input: Input,
  options: Operating,
): Promise<Answer> => withOperator(options, ({ run }) => run(operation, input));

async function runAsCommand<Input, Answer>(
  store: Store,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
  context: OperatorContext,
): Promise<Answer> {
  try {
    return answerOf(await runOperatorOperation(store, operation, input, context));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new CommandError(renderRefusals(error.refusals, OPERATOR_OPTIONS).map(asSentence).join('\n'));
  }
}

/** One line each, whatever the values have. Neither a command at the end, which is copied, nor a list of signs gets a full stop. */
const IS_SENTENCE = /[.!?]$|: cadastre [^.,]+$|[^\sA-Za-z] \W$/;
const asSentence = (text: string): string => escapeInvisible(IS_SENTENCE.test(text) ? text : `${text}.`);
