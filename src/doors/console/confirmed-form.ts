import { randomUUID } from 'node:crypto';
import { type Refusal, Refused } from '../../operations/refusal.ts';
import { findStoredAnswer } from '../../operations/stored-answers.ts';
import { factList } from '../html/fact-list.ts';
import { hiddenField } from '../html/form.ts';
import { html } from '../html/layout.ts';
import { formButtonTexts } from './form-button-texts.ts';
import { formKey, isOfForm, refusedStatus } from './form-context.ts';
import {
  type Asked,
  contentOf,
  type Done,
  type Facts,
  type Filled,
  type FormWithPage,
  type Values,
} from './form-definition.ts';
import { refusal } from './form-refusals.ts';
import { formView } from './form-view.ts';
import { begunAgain, carryOutOnce, isStale } from './keyed-form.ts';
import { unlessRefused } from './unless-refused.ts';
import type {
  ChangeOutcome,
  ConsoleChange,
  ConsolePage,
  ConsoleParts,
  FormInput,
  View,
  Visit,
} from './console-page.ts';

type ConfirmedForm<Loaded, Input, Answer, Stored extends object = object> = Omit<
  FormWithPage<Loaded, Input, Answer>,
  'fields'
> &
  Partial<Pick<FormWithPage<Loaded, Input, Answer>, 'fields'>> &
  Done<Loaded, Input, Answer, Stored> & {
    /** What will be lost, stated before it is. */
    readonly consequence: (loaded: Loaded, visit: Visit, parts: ConsoleParts) => Facts;
    /** What must be typed to confirm it, where a wrong click would be worst. */
    readonly typed?: (loaded: Loaded) => string;
    /** Where it leads when it is sent again, and its object is gone with it; only of forms without fields. */
    readonly onceGone?: ChangeOutcome;
  };

const TYPED = 'typed';

/**
 * The kind of form for what destroys something: its page states the consequence and asks once, and it is carried out
 * once with the key of the page, on the version of the object that the page has shown.
 */
export function defineConfirmed<Loaded, Input, Answer, Stored extends object = object>(
  given: ConfirmedForm<Loaded, Input, Answer, Stored>,
): { readonly page: ConsolePage; readonly change: ConsoleChange } {
  const { path, right, needsRecentLogin = false, consequence, typed } = given;
  const form: FormWithPage<Loaded, Input, Answer> & Done<Loaded, Input, Answer, Stored> = {
    ...given,
    fields: (loaded, values, visit, parts) => [
      ...(given.fields?.(loaded, values, visit, parts) ?? []),
      ...(typed ? [typedField(typed(loaded), values, visit)] : []),
    ],
  };
  const view = (filled: Filled<Loaded>, asked: Asked): View => {
    const { visit, parts } = asked;
    const { confirm } = form.texts(filled.loaded, visit);
    return formView(form, filled, asked, {
      before: factList(consequence(filled.loaded, visit, parts)),
      buttons: html`${hiddenField('key', randomUUID())}<button name="step" value="confirm">${confirm}</button>`,
      status: refusedStatus(filled.refusals),
    });
  };
  return {
    page: {
      path,
      right,
      needsRecentLogin,
      answer: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        return loaded && view(begunAgain(loaded, []), { parts, visit, input });
      },
    },
    change: {
      path,
      right,
      needsRecentLogin,
      refill: async (parts, visit, input) => {
        const loaded = await form.load(parts, visit, input);
        const values: Values = (name) => input.field(name);
        return loaded && view({ loaded, values, refusals: [] }, { parts, visit, input });
      },
      run: async (parts, visit, input) => {
        const asked = { parts, visit, input };
        const loaded = await form.load(parts, visit, input);
        if (!loaded) return (await wasCarriedOut(form, asked)) ? given.onceGone : undefined;
        const values: Values = (name) => input.field(name);
        const again = (refusals: readonly Refusal[]) => view({ loaded, values, refusals }, asked);
        const key = formKey(input.field('key'), contentOf(form, loaded, asked), visit);
        if (input.field('step') !== 'confirm' || !key) return view(begunAgain(loaded, []), asked);
        const read = form.read(input, loaded, parts, visit);
        const refusals = [
          ...('refusals' in read ? read.refusals : []),
          ...(typed ? checkTyped(typed(loaded), input) : []),
        ];
        if ('refusals' in read || refusals.length > 0) return again(refusals);
        try {
          return await carryOutOnce(form, { loaded, input: read.value, key }, asked);
        } catch (error) {
          if (!(error instanceof Refused) || !isOfForm(error)) throw error;
          return isStale(error) ? view(begunAgain(loaded, error.refusals), asked) : again(error.refusals);
        }
      },
    },
  };
}

/** Whether this very form was carried out before: its content is what its page is about, and in which version. */
async function wasCarriedOut(
  { version }: Pick<FormWithPage<never, never, never>, 'version'>,
  { parts, visit, input }: Asked<FormInput>,
): Promise<boolean> {
  const content = [input.params, ...(version ? [['version', input.field('version')]] : [])];
  const requestKey = formKey(input.field('key'), content, visit);
  const keyed = { requestKey, dryRun: false, now: visit.now };
  // The key of another form finds nothing.
  const stored = await unlessRefused('syntax', () => findStoredAnswer(parts.database.writes, keyed));
  return stored !== undefined;
}

function typedField(name: string, values: Values, { lang }: Visit) {
  const { typed } = formButtonTexts(lang);
  return { name: TYPED, label: typed(name), value: values(TYPED), maxLength: 300, autocomplete: 'off' };
}

/** Case does not distinguish names. */
const checkTyped = (name: string, { field }: FormInput): Refusal[] =>
  field(TYPED).trim().normalize().toLowerCase() === name.toLowerCase()
    ? []
    : [refusal('otherTyped', { field: TYPED, name })];
