import type { RequestKey } from '../../operations/idempotency.ts';
import { type Refusal, Refused } from '../../operations/refusal.ts';
import { answerOf, type Outcome } from '../../operations/run-operation.ts';
import { parseDecimal } from '../../platform/values/money.ts';
import type { Context } from '../../registry/operation.ts';
import { allFields, type OperationForm, type Values } from './form-definition.ts';
import { dryRunContext, formKey, isOfForm, quoteOf } from './operation-context.ts';
import { formView, previewView } from './operation-view.ts';
import type { ChangeOutcome, ConsoleChange, ConsolePage, ConsoleParts, Visit } from './page.ts';

/**
 * An operation of the registry as a form: it is filled in, previewed by a dry run, and carried out once with the key
 * that the preview carries, at the price that it has shown, on the version of the object that the form was made of.
 */
export function defineOperation<Loaded, Input, Answer, Stored extends object = object>(
  form: OperationForm<Loaded, Input, Answer, Stored>,
): { readonly page: ConsolePage; readonly change: ConsoleChange } {
  const { path, right, needsRecentLogin = false, prefilled = [], longFields = [] } = form;
  return {
    page: {
      ...{ path, right, needsRecentLogin },
      answer: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        const values: Values = (name, initial = '') =>
          (prefilled.includes(name) && input.query(name)) || initial;
        return loaded && formView(form, { loaded, values, refusals: [] }, { parts, visit, input });
      },
    },
    change: {
      ...{ path, right, needsRecentLogin, longFields },
      run: async (parts, visit, input) => {
        const asked = { parts, visit, input };
        const loaded = await form.load(parts, visit, input);
        if (!loaded) return undefined;
        const values: Values = (name) => input.field(name);
        const again = (refusals: readonly Refusal[]) => formView(form, { loaded, values, refusals }, asked);
        if (input.field('step') === 'edit') return again([]);
        const read = form.read(input, loaded, parts, visit);
        if ('refusals' in read) return again(read.refusals);
        const fields = allFields(form, { loaded, values }, asked);
        const content = [input.params, ...fields.map(({ name }) => [name, input.field(name)])];
        const key = formKey(input.field('key'), content, visit);
        const price = parseDecimal(input.field('price'));
        const run = (context: Context) =>
          form.run(parts.database, read.value, context, Number(input.field('version')));
        try {
          if (input.field('step') !== 'confirm' || !key || price === undefined) {
            const refused = form.checkPreview?.(read.value, loaded) ?? [];
            if (refused.length > 0) return again(refused);
            const outcome = await run(dryRunContext(parts, visit));
            const facts = await form.preview(read.value, loaded, visit, parts, answerOf(outcome));
            const quote = quoteOf(outcome);
            return previewView(form, { loaded, values, facts, quote }, asked);
          }
          const context = { ...dryRunContext(parts, visit), dryRun: false, agreedPrice: price };
          return await carryOut(form, { run, context, key, input: read.value, loaded }, parts, visit);
        } catch (error) {
          if (!(error instanceof Refused) || !isOfForm(error)) throw error;
          const { refusals } = error;
          // What was filled in was meant for another state: the form begins again with the present one.
          if (refusals[0].name === 'formStale')
            return formView(form, { loaded, values: (_, initial = '') => initial, refusals }, asked);
          return again(refusals);
        }
      },
    },
  };
}

type CarriedOut<Loaded, Input, Answer> = {
  readonly run: (context: Context) => Promise<Outcome<Answer>>;
  readonly context: Context;
  readonly key: RequestKey;
  readonly input: Input;
  readonly loaded: Loaded;
};

/** Leads to the same place when it is sent again: what is stored decides it the first time too. */
async function carryOut<Loaded, Input, Answer, Stored extends object>(
  { stored: storedOf = () => ({}) as Stored, done }: OperationForm<Loaded, Input, Answer, Stored>,
  { run, context, key, input, loaded }: CarriedOut<Loaded, Input, Answer>,
  parts: ConsoleParts,
  visit: Visit,
): Promise<ChangeOutcome> {
  const toStored = storedOf as (answer: unknown) => object;
  const outcome = await run({ ...context, requestKey: { ...key, toStored } });
  const stored = outcome.replayed ? (outcome.stored as Stored) : storedOf(outcome.answer);
  return done(stored, input, loaded, visit, parts);
}
