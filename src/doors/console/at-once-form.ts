import type { NameTable } from '../../operations/named-refusal.ts';
import { type Refusal, Refused } from '../../operations/refusal.ts';
import { answerOf } from '../../operations/run-operation.ts';
import { html } from '../html/layout.ts';
import { changeContext, isOfForm, refusedStatus } from './form-context.ts';
import type { Asked, Form } from './form-definition.ts';
import { refusedForm, sentForm } from './form-view.ts';
import type { Notice } from './notice-texts.ts';
import type {
  ChangeOutcome,
  ConsoleChange,
  ConsolePage,
  ConsoleParts,
  FormInput,
  Undo,
  View,
  Visit,
} from './console-page.ts';

type AtOnceForm<Loaded, Input, Answer> = Form<Loaded, Input, Answer> & {
  /** What the form is about; undefined where there is nothing: 404. */
  readonly load: (parts: ConsoleParts, visit: Visit, input: FormInput) => Promise<Loaded | undefined>;
  /** The page that it is on, which shows it again where it is refused; both have the same parameters in their addresses. */
  readonly page: ConsolePage;
  /** The names of its fields that are not hidden. */
  readonly fields?: readonly string[];
  /** The fields by the places of the operation's command. */
  readonly names?: NameTable | ((form: FormInput) => NameTable);
  /** Refusals which say that everything is as it shall be, which is answered as if it were done now. */
  readonly alreadySo?: readonly string[];
  /** Refusals which say that there is nothing left to change; the page shows what became of it. */
  readonly overtaken?: readonly string[];
  /** Where it leads. */
  readonly to: (loaded: Loaded, input: Input, visit: Visit) => string;
  /** What is said there, or what is shown once instead. */
  readonly done: Notice | ((answer: Answer, input: Input, visit: Visit) => Notice | View);
  /** Takes it back, where that is possible. */
  readonly undo?: (loaded: Loaded, input: Input, visit: Visit) => Undo | undefined;
};

/**
 * The kind of form for what is free and can be taken back, or harms nobody: one click on a page, answered with a notice
 * that offers to undo it. What is wrong with its fields is answered with 400, what the state of things forbids with 409.
 */
export function defineAtOnce<Loaded, Input, Answer>(form: AtOnceForm<Loaded, Input, Answer>): ConsoleChange {
  const { path, right, needsRecentLogin = false, longFields = [], fields = [] } = form;
  return {
    path,
    right,
    needsRecentLogin,
    longFields,
    // A page of many forms: the fields of this one are as they were sent. A button alone leads back to its page.
    ...(fields.length > 0 && {
      refill: (parts, visit, input) => form.page.answer(parts, visit, input, sentForm(fields, input)),
    }),
    run: async (parts, visit, input) => {
      const loaded = await form.load(parts, visit, input);
      if (loaded === undefined) return undefined;
      const asked = { parts, visit, input };
      const read = form.read(input, loaded, parts, visit);
      if ('refusals' in read) return shownAgain(form, read.refusals, asked);
      try {
        const context = changeContext(parts, visit);
        const outcome = await form.run(parts.database, read.value, context, Number(input.field('version')));
        return answered(form, { loaded, input: read.value, answer: answerOf(outcome) }, visit);
      } catch (error) {
        if (!(error instanceof Refused) || !isOfForm(error)) throw error;
        const [{ name }] = error.refusals;
        const to = form.to(loaded, read.value, visit);
        if (form.overtaken?.includes(name)) return { to };
        if (form.alreadySo?.includes(name) && typeof form.done === 'string') return { to, notice: form.done };
        return shownAgain(form, error.refusals, asked);
      }
    },
  };
}

type Run<Loaded, Input, Answer> = { readonly loaded: Loaded; readonly input: Input; readonly answer: Answer };

function answered<Loaded, Input, Answer>(
  { to, done, undo }: AtOnceForm<Loaded, Input, Answer>,
  { loaded, input, answer }: Run<Loaded, Input, Answer>,
  visit: Visit,
): ChangeOutcome {
  const said = typeof done === 'function' ? done(answer, input, visit) : done;
  if (typeof said === 'object') return said;
  return { to: to(loaded, input, visit), notice: said, undo: undo?.(loaded, input, visit) };
}

async function shownAgain<Loaded, Input, Answer>(
  { page, fields = [], names = {} }: AtOnceForm<Loaded, Input, Answer>,
  refusals: readonly Refusal[],
  asked: Asked<FormInput>,
): Promise<View | undefined> {
  const { parts, visit, input } = asked;
  if (refusals[0]?.kind === 'missing') return undefined;
  const table = typeof names === 'function' ? names(input) : names;
  const { refused, faults } = refusedForm({ refusals, fields, names: table }, asked);
  const view = await page.answer(parts, visit, input, refused);
  return view && { ...view, body: html`${faults}${view.body}`, status: refusedStatus(refusals) };
}
