import { type RequestKey, storingAs } from '../../operations/stored-answers.ts';
import type { Refusal, Refused } from '../../operations/refusal.ts';
import type { Cents } from '../../platform/values/money.ts';
import { changeContext } from './form-context.ts';
import type { Asked, Done, Filled, Form } from './form-definition.ts';
import type { ChangeOutcome, FormInput } from './console-page.ts';

type Confirmed<Loaded, Input> = {
  readonly loaded: Loaded;
  readonly input: Input;
  readonly key: RequestKey;
  readonly agreedPrice?: Cents;
};

/** Leads to the same place when it is sent again: what is stored decides it the first time too. */
export async function carryOutOnce<Loaded, Input, Answer, Stored extends object>(
  form: Form<Loaded, Input, Answer> & Done<Loaded, Input, Answer, Stored>,
  { loaded, input, key, agreedPrice }: Confirmed<Loaded, Input>,
  { parts, visit, input: sent }: Asked<FormInput>,
): Promise<ChangeOutcome> {
  const { stored: storedOf = () => ({}) as Stored, done } = form;
  const price = agreedPrice === undefined ? {} : { agreedPrice };
  const context = { ...changeContext(parts, visit), ...price, requestKey: storingAs(key, storedOf) };
  const outcome = await form.run(parts.database, input, context, Number(sent.field('version')));
  const stored = outcome.replayed ? (outcome.stored as Stored) : storedOf(outcome.answer);
  return done(stored, input, loaded, visit, parts);
}

/** Whether somebody else has changed the object since the form was opened. */
export const isStale = ({ refusals: [{ name }] }: Refused): boolean => name === 'formStale';

/** What was filled in was meant for another state: the form begins again with the present one. */
export const begunAgain = <Loaded>(loaded: Loaded, refusals: readonly Refusal[]): Filled<Loaded> => ({
  loaded,
  values: (_, initial = '') => initial,
  refusals,
});
