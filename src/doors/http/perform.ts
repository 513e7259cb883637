import type { Keyed, StoredAnswer } from '../../operations/stored-answers.ts';
import type { Outcome, Quote } from '../../operations/run-operation.ts';

export type Presentation<Result> = {
  /** The result as the API shows it. */
  readonly render: (result: Result) => object;
  /** What is stored for the request's key, if not all of that. */
  readonly stored?: (result: Result) => object;
  /** The answer to a repetition, where not all of it was stored. */
  readonly again?: (stored: StoredAnswer) => Promise<object>;
};
type Performed = { readonly data: object; readonly isReplay: boolean; readonly quote?: Quote };

/** Runs an operation for a request: its result is answered, and stored for the request's key, as the API shows it. */
export async function perform<Result, Context extends Keyed>(
  context: Context,
  { render, stored = render, again }: Presentation<Result>,
  run: (context: Context) => Promise<Outcome<Result>>,
): Promise<Performed> {
  const { requestKey } = context;
  const toStored = stored as (result: unknown) => object;
  const outcome = await run(requestKey ? { ...context, requestKey: { ...requestKey, toStored } } : context);
  if (outcome.replayed) return { data: again ? await again(outcome.stored) : outcome.stored, isReplay: true };
  const { answer, quote } = outcome;
  return { data: render(answer), isReplay: false, ...(quote && { quote }) };
}
