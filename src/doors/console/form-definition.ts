import type { NameTable } from '../../operations/named-refusal.ts';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Context } from '../../registry/operation.ts';
import type { PersonRight } from '../../registry/people/person.ts';
import { type Field, type FieldGroup, fieldsIn } from '../html/form.ts';
import type { HtmlValue } from '../html/layout.ts';
import type { ChangeOutcome, ConsoleParts, FormInput, PageInput, Visit } from './console-page.ts';

/** The titles and buttons of a form, in the language of the person who fills it in. */
export type FormTexts = {
  readonly title: string;
  readonly lead?: HtmlValue;
  /** What stands before the form. */
  readonly before?: HtmlValue;
  /** What stands on top of the form and is sent with it, such as a search. */
  readonly top?: HtmlValue;
  /** What stands between its fields and its buttons. */
  readonly after?: HtmlValue;
  /** Addresses of the browser modules that it uses. */
  readonly scripts?: readonly string[];
  /** The button that carries it out. */
  readonly confirm: string;
  /** Where the link to cancel leads. */
  readonly back: { readonly to: string; readonly text: string };
};

/** The value of a field of the form that was sent, or else the one that the form begins with. */
export type Values = (name: string, initial?: string) => string;
/** Labels with their values; those without a value are left out. */
export type Facts = readonly (readonly [string, HtmlValue])[];

/** What a form says of itself, of whichever of the three kinds. */
export type Form<Loaded, Input, Answer> = {
  readonly path: string;
  /** Undefined for what every person may change about itself. */
  readonly right: PersonRight | undefined;
  readonly needsRecentLogin?: boolean;
  /** Fields of many lines; every other one is short. */
  readonly longFields?: readonly string[];
  /** The operation. `version` is the one that the form was filled in for. */
  readonly run: (
    database: Database,
    input: Input,
    context: Context,
    version: number,
  ) => Promise<Outcome<Answer>>;
  /** The input of the operation; a refusal whose field is one of the form is shown there. */
  readonly read: (form: FormInput, loaded: Loaded, parts: ConsoleParts, visit: Visit) => Parsed<Input>;
};

/** A form with a page of its own. */
export type FormWithPage<Loaded, Input, Answer> = Form<Loaded, Input, Answer> & {
  /** What the form is about; undefined where there is nothing: 404. */
  readonly load: (
    parts: ConsoleParts,
    visit: Visit,
    input: PageInput | FormInput,
  ) => Promise<Loaded | undefined>;
  /** Of the object, if the operation itself does not notice that it has changed since the form was shown. */
  readonly version?: (loaded: Loaded) => number;
  readonly texts: (loaded: Loaded, visit: Visit) => FormTexts;
  readonly fields: (
    loaded: Loaded,
    values: Values,
    visit: Visit,
    parts: ConsoleParts,
  ) => readonly (Field | FieldGroup)[];
  /** The fields of the form by the places of the operation's command. */
  readonly names?: NameTable;
  /** The preview is shown beside the form while it is filled in; not if one of these fields is, such as a code that counts where it is wrong. */
  readonly dryRun?: { readonly unless: readonly string[] };
};

export type PreviewedForm<Loaded, Input, Answer, Stored extends object = object> = FormWithPage<
  Loaded,
  Input,
  Answer
> & {
  /** The fields that the address of the form may fill in. */
  readonly prefilled?: readonly string[];
  /** The fields that another button than that of the preview changes, which only shows the form again; undefined for all others. */
  readonly showsAgain?: (form: FormInput) => Readonly<Record<string, string>> | undefined;
  /** What the preview refuses besides the operation, such as a form that changes nothing; a form that is sent again passes. */
  readonly checkPreview?: (input: Input, loaded: Loaded) => readonly Refusal[];
  /** What the dry run found; its price and the balance after it are added, unless nothing of the kind costs anything. */
  readonly preview: (
    input: Input,
    loaded: Loaded,
    visit: Visit,
    parts: ConsoleParts,
    answer: Answer,
  ) => Facts | Promise<Facts>;
  readonly isUnpriced?: true;
} & Done<Loaded, Input, Answer, Stored>;

/** What follows a form that may be sent twice. */
export type Done<Loaded, Input, Answer, Stored extends object> = {
  /**
   * What of the answer is stored for a form that is sent twice; nothing if it leads to the same place whatever the answer.
   * Releases before and after read it too.
   */
  readonly stored?: (answer: Answer) => Stored;
  readonly done: (
    stored: Stored,
    input: Input,
    loaded: Loaded,
    visit: Visit,
    parts: ConsoleParts,
  ) => ChangeOutcome | Promise<ChangeOutcome>;
};

/** Who asks for what, in one of the steps of a form. */
export type Asked<Input = PageInput> = {
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly input: Input;
};

/** A form as it is shown. */
export type Filled<Loaded> = {
  readonly loaded: Loaded;
  readonly values: Values;
  readonly refusals: readonly Refusal[];
};
type FilledIn<Loaded> = Omit<Filled<Loaded>, 'refusals'>;

/** What the view of a form needs to know of it. */
export type FormOf<Loaded> = Pick<
  FormWithPage<Loaded, never, never>,
  'path' | 'version' | 'texts' | 'fields' | 'names' | 'dryRun'
>;

/** The fields and groups of a form, with the version of its object. */
export function fieldsOf<Loaded>(
  form: FormOf<Loaded>,
  { loaded, values }: FilledIn<Loaded>,
  { visit, parts }: Asked,
): readonly (Field | FieldGroup)[] {
  const version = form.version && values('version', String(form.version(loaded)));
  return [
    ...form.fields(loaded, values, visit, parts),
    ...(version === undefined ? [] : [{ name: 'version', label: '', isHidden: true, value: version }]),
  ];
}

export const allFields = <Loaded>(...form: Parameters<typeof fieldsOf<Loaded>>): readonly Field[] =>
  fieldsOf(...form).flatMap(fieldsIn);

/** What of a form that was sent must be the same where it is sent again. */
export const contentOf = <Loaded>(form: FormOf<Loaded>, loaded: Loaded, asked: Asked<FormInput>): unknown => {
  const { params, field } = asked.input;
  const fields = allFields(form, { loaded, values: (name) => field(name) }, asked);
  return [params, ...fields.map(({ name }) => [name, field(name)])];
};
