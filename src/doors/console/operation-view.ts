import { randomUUID } from 'node:crypto';
import type { Refusal } from '../../operations/refusal.ts';
import type { Quote } from '../../operations/run-operation.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { factList } from '../html/fact-list.ts';
import { type Field, faultSummary, field, fieldGroup, hiddenField } from '../html/form.ts';
import { type Html, html } from '../html/layout.ts';
import { type Asked, allFields, type Facts, type FormOf, fieldsOf, type Values } from './form-definition.ts';
import { operationTexts } from './operation-texts.ts';
import { consoleAddress, type PageInput, type View, type Visit } from './page.ts';
import { refusalText } from './refusal-texts.ts';
import { type PlacedRefusal, placeRefusals } from './render-refusals.ts';

type Filled<Loaded> = {
  readonly loaded: Loaded;
  readonly values: Values;
  readonly refusals: readonly Refusal[];
};

/** The form, with what was filled in and what is wrong with it. */
export function formView<Loaded>(form: FormOf<Loaded>, filled: Filled<Loaded>, asked: Asked): View {
  const { loaded, values, refusals } = filled;
  const { visit, input } = asked;
  const { title, lead, before, back } = form.texts(loaded, visit);
  const texts = operationTexts(visit.lang);
  const placed = placeRefusals(refusals, form.names ?? {}, values);
  const withFault = (each: Field): Field => ({ ...each, fault: faultText(placed, each.name, visit) });
  const items = fieldsOf(form, filled, asked).map((item) =>
    'legend' in item ? { ...item, fields: item.fields.map(withFault) } : withFault(item),
  );
  const all = items.flatMap((item) => ('legend' in item ? item.fields : [item]));
  const shown = new Set(all.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])));
  const others = placed.filter(({ field: name }) => !shown.has(name ?? ''));
  const body = html`<h1>${title}</h1>
${otherFaults(others, visit)}${faultSummary(texts.again, all)}${lead !== undefined && html`<p class="lead">${lead}</p>\n`}${before}<form method="post" action="${addressOf(form.path, input)}">
${items.map((item) => ('legend' in item ? fieldGroup(item) : field(item)))}<p class="asks"><button name="step" value="preview">${texts.preview}</button> <a class="clear" href="${back.to}">${back.text}</a></p>
</form>
`;
  return { title, body, ...(refusals.length > 0 && { status: 400 }) };
}

/** Of the refusals at one field, and of those of the whole form. */
const MAX_LISTED = 20;

function faultText(placed: readonly PlacedRefusal[], name: string, { lang }: Visit): string | undefined {
  const texts = placed
    .filter(({ field: place }) => place === name)
    .map(({ refusal, item }) => {
      if (item === undefined) return refusalText(refusal, lang);
      const isPart = refusal.name === 'fieldMissing';
      return `${item}: ${isPart ? operationTexts(lang).partMissing : refusalText(refusal, lang)}`;
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
  return html`<div class="outcome failed" role="alert"><p>${operationTexts(lang).refused}</p>
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
  form: FormOf<Loaded>,
  { loaded, values, facts, quote }: Previewed<Loaded>,
  asked: Asked,
): View {
  const { parts, visit, input } = asked;
  const texts = operationTexts(visit.lang);
  const { title, confirm, back } = form.texts(loaded, visit);
  const money = (amount: Cents) => `${toDecimal(amount)} ${parts.policy.currency}`;
  const body = html`<h1>${title}</h1>
<p>${texts.nothingYet}</p>
${factList([
  ...facts,
  [texts.price, !form.isUnpriced && (quote.price === 0n ? texts.free : money(quote.price))],
  [texts.balanceAfter, quote.price !== 0n && visit.may('money') && money(quote.balanceAfter)],
])}<form method="post" action="${addressOf(form.path, input)}">
${allFields(form, { loaded, values }, asked).map(({ name }) => hiddenField(name, values(name)))}${hiddenField('key', randomUUID())}${hiddenField('price', toDecimal(quote.price))}<p class="asks"><button name="step" value="confirm">${confirm}</button> <button class="plain" name="step" value="edit">${texts.edit}</button> <a class="clear" href="${back.to}">${back.text}</a></p>
</form>
`;
  return { title, body };
}

const addressOf = (path: string, { params }: PageInput): string =>
  consoleAddress(path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')));
