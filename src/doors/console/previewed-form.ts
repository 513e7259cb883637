import { answerOf } from '../../operations/run-operation.ts';
import { dryRunContext, quoteOf } from './form-context.ts';
import { contentOf, type PreviewedForm } from './form-definition.ts';
import { formView, previewView } from './form-view.ts';
import { carryOutOnce } from './keyed-form.ts';
import type { ConsoleChange, ConsolePage } from './console-page.ts';
import { defineStepped } from './stepped-form.ts';

/**
 * The kind of form for what has a price, or is planned in fields: it is filled in, previewed by a dry run, and carried
 * out once with the key that the preview carries, at the price that it has shown, on the version of the object that the
 * form was made of.
 */
export const definePreviewed = <Loaded, Input, Answer, Stored extends object = object>(
  form: PreviewedForm<Loaded, Input, Answer, Stored>,
): { readonly page: ConsolePage; readonly change: ConsoleChange } =>
  defineStepped<Loaded, Input>({
    ...form,
    contentOf: ({ loaded, asked }) => contentOf(form, loaded, asked),
    show: async ({ loaded, values, input, asked }) => {
      const { parts, visit, input: sent } = asked;
      const refusals = form.checkPreview?.(input, loaded) ?? [];
      if (refusals.length > 0) return formView(form, { loaded, values, refusals }, asked);
      const context = dryRunContext(parts, visit);
      const outcome = await form.run(parts.database, input, context, Number(sent.field('version')));
      const facts = await form.preview(input, loaded, visit, parts, answerOf(outcome));
      return previewView(form, { loaded, values, facts, quote: quoteOf(outcome) }, asked);
    },
    confirm: ({ loaded, input, asked }, agreed) => carryOutOnce(form, { loaded, input, ...agreed }, asked),
  });
