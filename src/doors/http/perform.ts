import { type Keyed, storingAs } from '../../operations/stored-answers.ts';
import type { Outcome, Quote } from '../../operations/run-operation.ts';

export type Presentation<Result, Stored extends object> = {
  /** The result as the API shows it. */
  readonly render: (result: Result) => object;
  /** What is stored for the request's key, if not all of that. */
  readonly stored?: (result: Result) => Stored;
  /** The answer to a repetition, where not all of it was stored. */
  readonly again?: (stored: Stored) => Promise<object>;
};
type Performed = { readonly data: object; readonly isReplay: boolean; readonly quote?: Quote };

/** Runs an operation for a request: its result is answered, and stored for the request's key, as the API shows it. */
export async function perform<Result, Context extends Keyed, Stored extends object>(
  context: Context,
  { render, stored, again }: Presentation<Result, Stored>,
  run: (context: Context) => Promise<Outcome<Result>>,
): Promise<Performed> {
  const { requestKey } = context;
  const keyed = requestKey ? { ...context, requestKey: storingAs(requestKey, stored ?? render) } : context;
  const outcome = await run(keyed);
  if (outcome.replayed) {
    const data = again ? await again(outcome.stored as Stored) : outcome.stored;
    return { data, isReplay: true };
  }
  const { answer, quote } = outcome;
  return { data: render(answer), isReplay: false, ...(quote && { quote }) };
}
