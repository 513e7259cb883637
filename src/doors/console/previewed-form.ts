import { type Refusal, Refused } from '../../operations/refusal.ts';
import { answerOf } from '../../operations/run-operation.ts';
import { parseDecimal } from '../../platform/values/money.ts';
import type { Context } from '../../registry/operation.ts';
import { dryRunContext, formKey, isOfForm, quoteOf } from './form-context.ts';
import { contentOf, type PreviewedForm, type Values } from './form-definition.ts';
import { formView, previewView } from './form-view.ts';
import { begunAgain, carryOutOnce, isStale } from './keyed-form.ts';
import type { ConsoleChange, ConsolePage } from './console-page.ts';

/**
 * The kind of form for what has a price, or is planned in fields: it is filled in, previewed by a dry run, and carried
 * out once with the key that the preview carries, at the price that it has shown, on the version of the object that the
 * form was made of.
 */
export function definePreviewed<Loaded, Input, Answer, Stored extends object = object>(
  form: PreviewedForm<Loaded, Input, Answer, Stored>,
): { readonly page: ConsolePage; readonly change: ConsoleChange } {
  const { path, right, needsRecentLogin = false, prefilled = [], longFields = [] } = form;
  return {
    page: {
      path,
      right,
      needsRecentLogin,
      answer: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        const values: Values = (name, initial = '') =>
          (prefilled.includes(name) && input.query(name)) || initial;
        return loaded && formView(form, { loaded, values, refusals: [] }, { parts, visit, input });
      },
    },
    change: {
      path,
      right,
      needsRecentLogin,
      longFields,
      run: async (parts, visit, input) => {
        const asked = { parts, visit, input };
        const loaded = await form.load(parts, visit, input);
        if (!loaded) return undefined;
        const values: Values = (name) => input.field(name);
        const again = (refusals: readonly Refusal[]) => formView(form, { loaded, values, refusals }, asked);
        if (input.field('step') === 'edit') return again([]);
        const read = form.read(input, loaded, parts, visit);
        if ('refusals' in read) return again(read.refusals);
        const key = formKey(input.field('key'), contentOf(form, loaded, asked), visit);
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
          return await carryOutOnce(form, { loaded, input: read.value, key, agreedPrice: price }, asked);
        } catch (error) {
          if (!(error instanceof Refused) || !isOfForm(error)) throw error;
          const { refusals } = error;
          return isStale(error) ? formView(form, begunAgain(loaded, refusals), asked) : again(refusals);
        }
      },
    },
  };
}
