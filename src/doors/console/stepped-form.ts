import type { RequestKey } from '../../operations/stored-answers.ts';
import { type Parsed, type Refusal, Refused } from '../../operations/refusal.ts';
import { type Cents, parseDecimal } from '../../platform/values/money.ts';
import { formKey, isOfForm } from './form-context.ts';
import type { Asked, FormOf, FormWithPage, Values } from './form-definition.ts';
import { formView } from './form-view.ts';
import { begunAgain, isStale } from './keyed-form.ts';
import type {
  ChangeOutcome,
  ConsoleChange,
  ConsolePage,
  ConsoleParts,
  FormInput,
  Visit,
} from './console-page.ts';

/** A form that was filled in and read. */
export type Step<Loaded, Input> = {
  readonly loaded: Loaded;
  readonly values: Values;
  readonly input: Input;
  readonly asked: Asked<FormInput>;
  /** Of what is asked for; undefined if the form carries none. */
  readonly key: RequestKey | undefined;
};
/** What the preview has shown, and what is done at most once. */
export type Agreed = { readonly key: RequestKey; readonly agreedPrice: Cents };

type SteppedForm<Loaded, Input> = FormOf<Loaded> &
  Pick<FormWithPage<Loaded, never, never>, 'right' | 'needsRecentLogin' | 'longFields' | 'load'> & {
    /** Of the form; as most forms may have if left out. */
    readonly maxBytes?: number;
    /** The fields that the address of the form may fill in. */
    readonly prefilled?: readonly string[];
    readonly showsAgain?: (form: FormInput) => Readonly<Record<string, string>> | undefined;
    readonly read: (
      form: FormInput,
      loaded: Loaded,
      parts: ConsoleParts,
      visit: Visit,
    ) => Parsed<Input> | Promise<Parsed<Input>>;
    /** What must be the same where a form is sent again. */
    readonly contentOf: (step: Omit<Step<Loaded, Input>, 'key'>) => unknown;
    /** What is shown before it is confirmed. */
    readonly show: (step: Step<Loaded, Input>) => Promise<ChangeOutcome | undefined>;
    readonly confirm: (step: Step<Loaded, Input>, agreed: Agreed) => Promise<ChangeOutcome>;
  };

/**
 * The steps of a form with a preview: it is filled in, read, shown with a key and a price, and confirmed. What is wrong
 * with it leads back to its fields.
 */
export function defineStepped<Loaded, Input>(
  form: SteppedForm<Loaded, Input>,
): { readonly page: ConsolePage; readonly change: ConsoleChange } {
  const { path, right, needsRecentLogin = false, prefilled = [], longFields = [], maxBytes } = form;
  const described = { path, right, needsRecentLogin };
  return {
    page: {
      ...described,
      answer: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        const values: Values = (name, initial = '') =>
          (prefilled.includes(name) && input.query(name)) || initial;
        return loaded && formView(form, { loaded, values, refusals: [] }, { parts, visit, input });
      },
    },
    change: {
      ...described,
      longFields,
      hasDryRun: form.dryRun !== undefined,
      ...(maxBytes !== undefined && { maxBytes }),
      run: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        return loaded && answerStep(form, loaded, { parts, visit, input });
      },
      refill: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        return loaded && answerStep(form, loaded, { parts, visit, input }, true);
      },
    },
  };
}

async function answerStep<Loaded, Input>(
  form: SteppedForm<Loaded, Input>,
  loaded: Loaded,
  asked: Asked<FormInput>,
  isPlayedBack = false,
): Promise<ChangeOutcome | undefined> {
  const { parts, visit, input: sent } = asked;
  const values: Values = (name) => sent.field(name);
  const again = (refusals: readonly Refusal[]) => formView(form, { loaded, values, refusals }, asked);
  if (sent.field('step') === 'edit') return again([]);
  const changed = form.showsAgain?.(sent);
  if (changed) {
    const changedValues: Values = (name) => changed[name] ?? sent.field(name);
    return formView(form, { loaded, values: changedValues, refusals: [] }, asked);
  }
  try {
    const read = await form.read(sent, loaded, parts, visit);
    if ('refusals' in read) return again(read.refusals);
    const filled = { loaded, values, input: read.value, asked };
    const key = formKey(sent.field('key'), form.contentOf(filled), visit);
    const agreedPrice = parseDecimal(sent.field('price'));
    const isConfirmed = sent.field('step') === 'confirm' && !isPlayedBack;
    return isConfirmed && key && agreedPrice !== undefined
      ? await form.confirm({ ...filled, key }, { key, agreedPrice })
      : await form.show({ ...filled, key });
  } catch (error) {
    if (!(error instanceof Refused) || !isOfForm(error)) throw error;
    const { refusals } = error;
    return isStale(error) ? formView(form, begunAgain(loaded, refusals), asked) : again(refusals);
  }
}
