import { randomUUID } from 'node:crypto';
import { type Cents, toDecimal } from '../../../platform/values/money.ts';
import type { BulkInputs, BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { CHECKED, type Field, hiddenField } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, type HtmlValue, html, type Language } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { fileFieldAddress } from '../assets.ts';
import { formButtonTexts } from '../form-button-texts.ts';
import type { FormTexts, Values } from '../form-definition.ts';
import { type ConsoleParts, consoleAddress, type FormInput, type View, type Visit } from '../console-page.ts';
import { refusalText } from '../refusal-texts.ts';
import type { BulkTask, Possible } from './bulk-task.ts';
import { AGAIN_OF } from './beginning-steps.ts';
import { bulkTexts } from './bulk-texts.ts';
import { columnsView, listFields } from './chosen-columns.ts';
import type { ListColumns } from './list-columns.ts';
import { mendOnEnter, mendView, type WrongLines, wrongLines } from './mend-lines.ts';
import { type LeftOut, type ListedDomain, leftOutText } from './name-list.ts';

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

export function bulkFormTexts<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  isMore: boolean,
  lang: Language,
): FormTexts {
  const texts = bulkTexts(lang);
  const { title, lead, confirm } = task.texts(lang);
  return {
    title,
    lead,
    confirm: confirm(0),
    before: isMore && html`<p class="outcome">${texts.firstOfMore}</p>\n`,
    after: html`<div class="field" data-file-for="names" data-too-large="${texts.fileTooLarge}" hidden><label for="file">${texts.file}</label><p class="hint" id="file-hint">${texts.fileHint}</p><input type="file" id="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"></div>\n`,
    scripts: [fileFieldAddress],
    back: { to: BULK, text: texts.back },
  };
}

/** Those of the task, and the list. */
export function bulkFields<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  names: string,
  values: Values,
  visit: Visit,
): readonly Field[] {
  const texts = bulkTexts(visit.lang);
  const hint = texts.listHints[task.lineHas ?? 'name'];
  return [
    ...task.fields(values, visit),
    { name: AGAIN_OF, label: '', value: values(AGAIN_OF), isHidden: true },
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

type Shown<Kind extends BulkKind> = {
  readonly task: BulkTask<Kind>;
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly form: FormInput;
  readonly input: BulkInputs[Kind];
  readonly listed: readonly ListedDomain[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** Those of them that are not written as they should be. */
  readonly wrong: ReadonlyMap<string, LeftOut>;
  readonly possible: readonly Possible[];
  readonly columns: ListColumns | undefined;
  readonly skipped: ReadonlySet<string>;
  /** Of those that are not skipped. */
  readonly price: Cents;
  /** Undefined where nothing is charged. */
  readonly balanceAfter: Cents | undefined;
};

/** The parameters as they were filled in. */
export function parameterFacts<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  values: Values,
  visit: Pick<Visit, 'lang'>,
): (readonly [string, HtmlValue])[] {
  return task
    .fields(values, visit)
    .filter(({ isHidden }) => !isHidden)
    .map(({ name, label, choices, type }) => {
      const value = values(name);
      if (type === 'checkbox') return [label, value === CHECKED && bulkTexts(visit.lang).yes] as const;
      const text =
        choices?.find(([choice]) => choice === value)?.[1] ?? value.trim().replaceAll(/\s*\n\s*/g, ', ');
      return [label, text !== '' && text] as const;
    });
}

export const moneyText = (
  amount: Cents,
  { lang }: Pick<Visit, 'lang'>,
  { policy }: Pick<ConsoleParts, 'policy'>,
): string => amountIn(lang, amount, policy.currency);

type Said = {
  readonly notices: readonly string[];
  readonly isWrong: boolean;
  readonly status?: number | undefined;
};

/** Rows of a table of a preview; a file has all of them when they are done. */
const MAX_SHOWN = 200;
/** More rows than these are folded away, so that the button is within sight. */
const MAX_OPEN = 20;

/** What would happen, its price, and the button that begins it; then what cannot be done, and each domain. */
export function previewView<Kind extends BulkKind>(
  shown: Shown<Kind>,
  { notices: said, isWrong, status }: Said,
): View {
  const { task, visit, parts, form, input, listed, possible, leftOut, wrong, skipped, price, balanceAfter } =
    shown;
  const texts = bulkTexts(visit.lang);
  const { title, confirm } = task.texts(visit.lang);
  const buttons = formButtonTexts(visit.lang);
  const values: Values = (name) => form.field(name);
  const read = task.valuesOf(input);
  const count = possible.filter(({ name }) => !skipped.has(name)).length;
  const total = possible.reduce((sum, each) => sum + (each.price ?? 0n), 0n);
  const isPaid = price > 0n;
  const mendable = wrongLines(listed, wrong, shown.columns);
  const body = html`<h1>${title}</h1>
${notices(said, isWrong ? 'failed' : '')}<p>${texts.preview}</p>
<form method="post" action="${consoleAddress(task.path)}">
${mendOnEnter(mendable, visit)}${shown.columns && columnsView(task, shown.columns, visit)}${task.fields(values, visit).map(({ name }) => hiddenField(name, form.field(name)))}${listFields(form, listed, shown.columns)}${hiddenField(AGAIN_OF, form.field(AGAIN_OF))}${hiddenField('leftOut', leftOutText(leftOut))}${hiddenField('key', randomUUID())}${hiddenField('price', toDecimal(total))}${factList(
  [
    ...parameterFacts(task, (name) => read[name] ?? '', visit),
    [texts.domains, count > 0 && texts.count(count)],
    [texts.leftOutFact, leftOut.size > 0 && texts.count(leftOut.size)],
    [texts.total, possible.length > 0 && (isPaid ? moneyText(price, visit, parts) : buttons.free)],
    [
      buttons.balanceAfter,
      balanceAfter !== undefined && visit.may('money') && moneyText(balanceAfter, visit, parts),
    ],
  ],
)}<p class="asks">${possible.length > 0 && html`<button name="step" value="confirm">${confirm(count, isPaid ? moneyText(price, visit, parts) : undefined)}</button> `}<button class="plain" name="step" value="edit">${texts.edit}</button> ${backLink(visit)}</p>
${leftOutTable(leftOut, mendable, visit)}${possible.length === 0 ? html`<p>${texts.nonePossible}</p>\n` : html`${changeCounts(shown)}${possibleRows(shown)}`}</form>
`;
  return { title, body, ...(status !== undefined && { status }) };
}

/** Different changes that are counted. */
const MAX_COUNTED = 5;

/** What happens to how many, where the same happens to many. */
function changeCounts<Kind extends BulkKind>({
  task,
  possible,
  visit,
  parts,
  input,
}: Shown<Kind>): Html | false {
  const counts = new Map<string, number>();
  for (const found of possible) {
    const what = task.describe(found, visit, parts, input);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  if (counts.size > MAX_COUNTED || possible.length <= MAX_OPEN) return false;
  const texts = bulkTexts(visit.lang);
  return html`<ul class="counts">${Array.from(counts, ([what, count]) => html`<li>${what}: <strong>${texts.count(count)}</strong></li>`)}</ul>
`;
}

function possibleRows<Kind extends BulkKind>({
  task,
  possible,
  skipped,
  visit,
  parts,
  input,
}: Shown<Kind>): Html {
  const texts = bulkTexts(visit.lang);
  const { columns } = texts;
  const isPaid = possible.some(({ price = 0n }) => price > 0n);
  const box = (name: string) =>
    html`<label class="choice"><input type="checkbox" name="skip" value="${name}"${skipped.has(name) && html` checked`}><span class="hidden">${texts.skip(name)}</span></label>`;
  const rows = possible.slice(0, MAX_SHOWN);
  const shown = table(
    {
      label: texts.possible(possible.length),
      columns: [
        { title: columns.domain },
        { title: columns.what },
        ...(isPaid ? [{ title: columns.price, number: true }] : []),
        { title: columns.skip },
      ],
    },
    rows.map((found) => [
      isolated(found.name),
      task.describe(found, visit, parts, input),
      ...(isPaid ? [moneyText(found.price ?? 0n, visit, parts)] : []),
      box(found.name),
    ]),
  );
  return html`<details${possible.length <= MAX_OPEN && html` open`}><summary>${texts.possible(possible.length)}</summary>
${shown}${further(possible.length - rows.length, visit)}</details>
`;
}

function leftOutTable(
  leftOut: ReadonlyMap<string, LeftOut>,
  mendable: WrongLines,
  visit: Visit,
): Html | false {
  if (leftOut.size === 0) return false;
  const { lang } = visit;
  const texts = bulkTexts(lang);
  const { domain, reason } = texts.columns;
  const inFields = new Set(mendable.lines.map(({ name }) => name));
  const others = Array.from(leftOut).filter(([name]) => !inFields.has(name));
  const rows = others.slice(0, MAX_SHOWN);
  const label = texts.leftOut(leftOut.size);
  const shown =
    rows.length > 0 &&
    table(
      { label, columns: [{ title: domain }, { title: reason }] },
      rows.map(([name, why]) => [isolated(name), refusalText(why, lang)]),
    );
  return html`<details${leftOut.size <= MAX_OPEN && html` open`}><summary>${label}</summary>
${mendView(mendable, visit)}${shown}${further(others.length - rows.length, visit)}</details>
`;
}

const further = (count: number, { lang }: Pick<Visit, 'lang'>): Html | false =>
  count > 0 && html`<p class="quiet">${bulkTexts(lang).further(count)}</p>\n`;
