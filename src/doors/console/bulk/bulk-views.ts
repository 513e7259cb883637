import { randomUUID } from 'node:crypto';
import type { Quote } from '../../../operations/run-operation.ts';
import { type Cents, toDecimal } from '../../../platform/values/money.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { type Field, hiddenField } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, type HtmlValue, html, type Language } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { fileFieldAddress } from '../assets.ts';
import { domainAddress } from '../domains/domains-page.ts';
import { formButtonTexts } from '../form-button-texts.ts';
import type { FormTexts, Values } from '../form-definition.ts';
import { type ConsoleParts, consoleAddress, type FormInput, type View, type Visit } from '../console-page.ts';
import type { BulkTask, Possible } from './bulk-task.ts';
import { bulkTexts } from './bulk-texts.ts';
import { type ListedDomain, leftOutText, listText } from './name-list.ts';

/** The list that a form begins with. */
export type FoundList = {
  readonly text: string;
  /** There were more domains than a list may have. */
  readonly isMore: boolean;
};

const NAMES_LINES = 12;
const BULK = consoleAddress('/bulk');
const backLink = (visit: Visit): Html =>
  html`<a class="clear" href="${BULK}">${bulkTexts(visit.lang).back}</a>`;

export function bulkFormTexts<Input>(task: BulkTask<Input>, isMore: boolean, lang: Language): FormTexts {
  const texts = bulkTexts(lang);
  return {
    ...task.texts(lang),
    before: isMore && html`<p class="outcome">${texts.firstOfMore}</p>\n`,
    after: html`<div class="field" data-file-for="names" data-too-large="${texts.fileTooLarge}" hidden><label for="file">${texts.file}</label><p class="hint" id="file-hint">${texts.fileHint}</p><input type="file" id="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"></div>\n`,
    script: fileFieldAddress,
    back: { to: BULK, text: texts.back },
  };
}

/** Those of the task, and the list. */
export function bulkFields<Input>(
  task: BulkTask<Input>,
  names: string,
  values: Values,
  visit: Visit,
): readonly Field[] {
  const texts = bulkTexts(visit.lang);
  const hint = task.hasCodes ? texts.transfersHint : texts.namesHint;
  return [
    ...task.fields(values, visit),
    {
      name: 'names',
      label: texts.names,
      value: values('names', names),
      lines: NAMES_LINES,
      ...(task.allOf ? { hint: `${hint} ${texts.orAll}`, isOptional: true } : { hint }),
    },
  ];
}

function notices(texts: readonly string[], kind: string): Html | false {
  return (
    texts.length > 0 &&
    html`<div class="outcome ${kind}" role="alert">${texts.map((text) => html`<p>${text}</p>`)}</div>\n`
  );
}

type Step<Input> = {
  readonly task: BulkTask<Input>;
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly form: FormInput;
  readonly listed: readonly ListedDomain[];
  readonly leftOut: ReadonlyMap<string, string>;
};

/** What the next step needs of this one. */
function carried<Input>({ task, visit, form, listed, leftOut }: Step<Input>): Html {
  const fields = task.fields((name) => form.field(name), visit);
  const reasons = Array.from(leftOut, ([name, reason]) => ({ name, reason }));
  return html`${fields.map(({ name }) => hiddenField(name, form.field(name)))}${hiddenField('names', listText(listed))}${hiddenField('leftOut', leftOutText(reasons))}`;
}

/** The parameters as they were filled in. */
function parameterFacts<Input>({ task, visit, form }: Step<Input>): (readonly [string, HtmlValue])[] {
  return task
    .fields((name) => form.field(name), visit)
    .map(({ name, label, choices }) => {
      const value = form.field(name);
      return [label, value !== '' && (choices?.find(([choice]) => choice === value)?.[1] ?? value)] as const;
    });
}

const money = (amount: Cents, { lang }: Visit, { policy }: ConsoleParts): string =>
  amountIn(lang, amount, policy.currency);
const sumOf = (possible: readonly Possible[]): Cents =>
  possible.reduce((sum, { price = 0n }) => sum + price, 0n);

/** What is said above a choice that is shown again. */
export type ChoiceNotices = {
  readonly notices?: readonly string[];
  /** All of them if undefined. */
  readonly checked?: ReadonlySet<string>;
  readonly status?: number;
};

/** Every domain with what would happen, chosen unless somebody unchecks it, and those that cannot be, with the reason. */
export function choiceView<Input>(
  step: Step<Input> & { readonly possible: readonly Possible[] },
  { notices: said = [], checked, status }: ChoiceNotices,
): View {
  const { task, visit, parts, possible, leftOut } = step;
  const texts = bulkTexts(visit.lang);
  const { title } = task.texts(visit.lang);
  const box = (name: string) =>
    html`<label class="choice"><input type="checkbox" name="chosen" value="${name}"${(checked?.has(name) ?? true) && html` checked`}> ${isolated(name)}</label>`;
  const body = html`<h1>${title}</h1>
${notices(said, status === undefined ? '' : 'failed')}<p>${texts.preview}</p>
${factList(parameterFacts(step))}<form method="post" action="${consoleAddress(task.path)}">
${carried(step)}<h2>${possible.length === 0 ? texts.nonePossible : texts.possible(possible.length)}</h2>
${possible.length > 0 && possibleTable(possible, ({ name }) => box(name), texts.possible(possible.length), { task, visit, parts })}${leftOutTable(leftOut, visit)}<p class="asks">${possible.length > 0 && html`<button name="step" value="review">${texts.review}</button> `}<button class="plain" name="step" value="edit">${texts.edit}</button> ${backLink(visit)}</p>
</form>
`;
  return { title, body, ...(status !== undefined && { status }) };
}

function possibleTable<Input>(
  possible: readonly Possible[],
  first: (found: Possible) => Html,
  label: string,
  { task, visit, parts }: Pick<Step<Input>, 'task' | 'visit' | 'parts'>,
): Html {
  const { columns } = bulkTexts(visit.lang);
  const isPaid = sumOf(possible) > 0n;
  return table(
    {
      label,
      columns: [
        { title: columns.domain },
        { title: columns.what },
        ...(isPaid ? [{ title: columns.price, number: true }] : []),
      ],
    },
    possible.map((found) => [
      first(found),
      task.describe(found, visit, parts),
      isPaid && money(found.price ?? 0n, visit, parts),
    ]),
  );
}

function leftOutTable(leftOut: ReadonlyMap<string, string>, { lang }: Visit): Html | false {
  const texts = bulkTexts(lang);
  const { domain, reason } = texts.columns;
  return (
    leftOut.size > 0 &&
    html`<h2>${texts.leftOut(leftOut.size)}</h2>
${table(
  { label: texts.leftOut(leftOut.size), columns: [{ title: domain }, { title: reason }] },
  Array.from(leftOut, ([name, reason]) => [isolated(name), reason]),
)}`
  );
}

/** The chosen ones with their price, and the key of what is about to be done. */
export function reviewView<Input>(
  step: Step<Input> & { readonly possible: readonly Possible[]; readonly quote: Quote | undefined },
): View {
  const { task, visit, parts, possible, quote } = step;
  const texts = bulkTexts(visit.lang);
  const { title, confirm } = task.texts(visit.lang);
  const { free, balanceAfter } = formButtonTexts(visit.lang);
  const total = sumOf(possible);
  const names = possible.map(({ name }) => name).join('\n');
  const body = html`<h1>${title}</h1>
<p>${texts.reviewLead}</p>
${factList([
  ...parameterFacts(step),
  [texts.domains, possible.length],
  [texts.total, total === 0n ? free : money(total, visit, parts)],
  [balanceAfter, quote !== undefined && visit.may('money') && money(quote.balanceAfter, visit, parts)],
])}<form method="post" action="${consoleAddress(task.path)}">
${carried(step)}${hiddenField('chosen', names)}${hiddenField('key', randomUUID())}${hiddenField('price', toDecimal(total))}<p class="asks"><button name="step" value="confirm">${confirm}</button> <button class="plain" name="step" value="edit">${texts.edit}</button> ${backLink(visit)}</p>
</form>
${possibleTable(possible, ({ name }) => isolated(name), texts.domains, { task, visit, parts })}`;
  return { title, body };
}

/** What was done, and what was left out and why. */
export function resultView<Input>(
  step: Step<Input> & { readonly chosen: readonly ListedDomain[]; readonly price: Cents },
): View {
  const { task, visit, parts, form, listed, chosen, price } = step;
  const texts = bulkTexts(visit.lang);
  const { title } = task.texts(visit.lang);
  const done = new Set(chosen.map(({ name }) => name));
  const leftOut = new Map(
    listed.flatMap(({ name }) =>
      done.has(name) ? [] : [[name, step.leftOut.get(name) ?? texts.notChosen] as const],
    ),
  );
  const body = html`<h1>${title}</h1>
<p class="outcome" role="status">${texts.done(done.size)}.</p>
${factList([...parameterFacts(step), [texts.total, price > 0n && money(price, visit, parts)]])}<form method="post" action="${consoleAddress(task.path)}">
${carried(step)}${hiddenField('chosen', [...done].join('\n'))}${hiddenField('key', form.field('key'))}<p class="asks"><button name="step" value="file">${texts.download}</button> ${backLink(visit)}</p>
</form>
<h2>${texts.result}</h2>
${table(
  { label: texts.done(done.size), columns: [{ title: texts.columns.domain }] },
  Array.from(done, (name) => [html`<a href="${domainAddress(name)}">${isolated(name)}</a>`]),
)}${leftOutTable(leftOut, visit)}`;
  return { title, body };
}
