import { randomUUID } from 'node:crypto';
import type { NameTable } from '../../operations/named-refusal.ts';
import type { Refusal } from '../../operations/refusal.ts';
import type { Quote } from '../../operations/run-operation.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { amountIn } from '../html/amount-in.ts';
import { factList } from '../html/fact-list.ts';
import {
  type Field,
  faultSummary,
  field,
  fieldGroup,
  fieldsIn,
  hiddenField,
  withFields,
} from '../html/form.ts';
import { type Html, html } from '../html/layout.ts';
import { dryRunAddress } from './assets.ts';
import { formButtonTexts } from './form-button-texts.ts';
import {
  type Asked,
  allFields,
  type Facts,
  type Filled,
  type FormOf,
  fieldsOf,
  type Values,
} from './form-definition.ts';
import {
  consoleAddress,
  type FormInput,
  type PageInput,
  type RefusedForm,
  type View,
  type Visit,
} from './console-page.ts';
import { refusalText } from './refusal-texts.ts';
import { type PlacedRefusal, placeRefusals } from './render-refusals.ts';

type Step = {
  /** What stands between the title and the fields, besides what the form says itself. */
  readonly before?: Html;
  /** The buttons, and what is sent with them. */
  readonly buttons?: Html;
  /** Where it is refused. */
  readonly status?: number;
};

/** The form, with what was filled in and what is wrong with it. */
export function formView<Loaded>(
  form: FormOf<Loaded>,
  filled: Filled<Loaded>,
  asked: Asked,
  { before, buttons = previewButton(asked.visit), status = 400 }: Step = {},
): View {
  const { loaded, values, refusals } = filled;
  const { visit, input } = asked;
  const { title, lead, before: notice, top, after, scripts: given = [], back } = form.texts(loaded, visit);
  const placed = placeRefusals(refusals, form.names ?? {}, values);
  const withFault = (each: Field): Field => ({ ...each, fault: faultText(placed, each.name, visit) });
  const items = fieldsOf(form, filled, asked).map((item) => withFields(item, withFault));
  const shown = items.flatMap(fieldsIn).filter(({ isHidden }) => !isHidden);
  const { dryRun } = form;
  const filledIn = html`<form method="post" action="${addressOf(form.path, input)}"${dryRun && html` data-dry-run="${dryRun.unless.join(' ')}"`}>
${top}${items.map((item) => ('legend' in item ? fieldGroup(item) : field(item)))}${after}<p class="asks">${buttons} <a class="clear" href="${back.to}">${back.text}</a></p>
</form>
`;
  const body = html`<h1>${title}</h1>
${allFaults(placed, shown, visit)}${lead !== undefined && html`<p class="lead">${lead}</p>\n`}${before}${notice}${dryRun ? besideDryRun(filledIn, visit) : filledIn}`;
  const scripts = [...given, ...(dryRun ? [dryRunAddress] : [])];
  return { title, body, ...(scripts.length > 0 && { scripts }), ...(refusals.length > 0 && { status }) };
}

/** The place of the preview that the script asks for. */
const besideDryRun = (form: Html, { lang }: Visit): Html => html`<div class="with-dry-run">
${form}<aside class="dry-run" hidden><h2>${formButtonTexts(lang).preview}</h2>
<div role="status"></div></aside>
</div>
`;

const previewButton = ({ lang }: Visit): Html =>
  html`<button name="step" value="preview">${formButtonTexts(lang).preview}</button>`;

type SentForm = {
  readonly refusals: readonly Refusal[];
  /** The names of its fields. */
  readonly fields: readonly string[];
  readonly names: NameTable;
};

/** A form that is one of several on a page: its part in the page, and what stands on top of it. */
export function refusedForm(
  { refusals, fields, names }: SentForm,
  { visit, input }: Asked<FormInput>,
): { readonly refused: RefusedForm; readonly faults: Html } {
  const placed = placeRefusals(refusals, names, input.field);
  const fault = (name: string) => faultText(placed, name, visit);
  const shown = fields.map((name) => ({ name, fault: fault(name) }));
  return { refused: { ...sentForm(fields, input), fault }, faults: allFaults(placed, shown, visit) };
}

/** Its part in the page with the values that were sent. */
export const sentForm = (fields: readonly string[], input: FormInput): RefusedForm => ({
  value: (name, initial = '') => (fields.includes(name) ? input.field(name) : initial),
  fault: () => undefined,
});

/** Those of no field, and a list of the others that leads to the fields. */
function allFaults(
  placed: readonly PlacedRefusal[],
  fields: readonly Pick<Field, 'name' | 'fault'>[],
  visit: Visit,
): Html {
  const names = new Set(fields.map(({ name }) => name));
  const others = placed.filter(({ field: name }) => !names.has(name ?? ''));
  return html`${otherFaults(others, visit)}${faultSummary(formButtonTexts(visit.lang).again, fields)}`;
}

/** Of the refusals at one field, and of those of the whole form. */
const MAX_LISTED = 20;

function faultText(placed: readonly PlacedRefusal[], name: string, { lang }: Visit): string | undefined {
  const texts = placed
    .filter(({ field: place }) => place === name)
    .map(({ refusal, item }) => {
      if (item === undefined) return refusalText(refusal, lang);
      const isPart = refusal.name === 'fieldMissing';
      return `${item}: ${isPart ? formButtonTexts(lang).partMissing : refusalText(refusal, lang)}`;
    });
  return texts.length === 0 ? undefined : listed(texts).join(' ');
}

/** Each once, and the first of many. */
function listed(texts: readonly string[]): readonly string[] {
  const different = [...new Set(texts)];
  return different.length > MAX_LISTED ? [...different.slice(0, MAX_LISTED), '…'] : different;
}

function otherFaults(placed: readonly PlacedRefusal[], { lang }: Visit): Html | false {
  if (placed.length === 0) return false;
  return html`<div class="outcome failed" role="alert"><p>${formButtonTexts(lang).refused}</p>
<ul>${listed(placed.map(({ refusal }) => refusalText(refusal, lang))).map((text) => html`<li>${text}</li>`)}</ul></div>
`;
}

type Previewed<Loaded> = {
  readonly loaded: Loaded;
  readonly values: Values;
  /** What the operation would do. */
  readonly facts: Facts;
  readonly quote: Quote;
};

/** What the dry run found, with everything that carrying it out needs. */
export function previewView<Loaded>(
  form: FormOf<Loaded> & { readonly isUnpriced?: true },
  { loaded, values, facts, quote }: Previewed<Loaded>,
  asked: Asked,
): View {
  const { parts, visit, input } = asked;
  const texts = formButtonTexts(visit.lang);
  const { title, confirm, back } = form.texts(loaded, visit);
  const money = (amount: Cents) => amountIn(visit.lang, amount, parts.policy.currency);
  const body = html`<h1>${title}</h1>
<p>${texts.nothingYet}</p>
${factList([
  ...facts,
  [texts.price, !form.isUnpriced && (quote.price === 0n ? texts.free : money(quote.price))],
  [texts.balanceAfter, quote.price !== 0n && visit.may('money') && money(quote.balanceAfter)],
])}<form method="post" action="${addressOf(form.path, input)}">
${allFields(form, { loaded, values }, asked).map(({ name }) => hiddenField(name, values(name)))}${hiddenField('key', randomUUID())}${hiddenField('price', toDecimal(quote.price))}<p class="asks"><button name="step" value="confirm">${confirm}${quote.price !== 0n && ` · ${money(quote.price)}`}</button> <button class="plain" name="step" value="edit">${texts.edit}</button> <a class="clear" href="${back.to}">${back.text}</a></p>
</form>
`;
  return { title, body };
}

const addressOf = (path: string, { params }: PageInput): string =>
  consoleAddress(path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')));
