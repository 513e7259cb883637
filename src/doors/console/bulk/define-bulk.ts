import { findStoredAnswer, type RequestKey } from '../../../operations/stored-answers.ts';
import { type Parsed, type Refusal, Refused } from '../../../operations/refusal.ts';
import type { BulkFinding } from '../../../registry/domains/bulk/bulk-findings.ts';
import { csvLine, UnclosedQuote } from '../../http/csv.ts';
import { changeContext, dryRunContext, isOfForm, quoteOf } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import { MAX_BULK_FORM_BYTES } from '../form-size.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsolePage,
  type ConsoleParts,
  type Download,
  type FormInput,
  type View,
  type Visit,
  wholeFile,
} from '../console-page.ts';
import { refusalText } from '../refusal-texts.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { type Agreed, defineStepped, type Step } from '../stepped-form.ts';
import { beginSelected, findList } from './begin-selected.ts';
import type { BulkTask } from './bulk-task.ts';
import { bulkTexts } from './bulk-texts.ts';
import {
  bulkFields,
  bulkFormTexts,
  type ChoiceNotices,
  choiceView,
  type FoundList,
  resultView,
  reviewView,
} from './bulk-views.ts';
import { type ListedDomain, readLeftOut, readNameList } from './name-list.ts';
import { SELECTED } from './selected-step.ts';

/** What the forms of a bulk change hold. */
type BulkInput<Input> = {
  readonly input: Input;
  readonly listed: readonly ListedDomain[];
  /** All that the task could change are more than these. */
  readonly isMore: boolean;
  /** What could not be done at an earlier step, and why. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** The texts that were sent as chosen, and the listed domains among them that can be. */
  readonly checked: ReadonlySet<string>;
  readonly chosen: readonly ListedDomain[];
};

/**
 * A form with a preview for many domains: a list, a preview in which some are chosen, those with their price, the
 * result. Nothing is kept between the steps: the list travels in the forms. What could not be done at one step is not
 * tried again at the next, since every wrong transfer code counts.
 */
export const defineBulk = <Input>(
  task: BulkTask<Input>,
): { readonly page: ConsolePage; readonly change: ConsoleChange } => {
  const { page, change } = defineStepped<FoundList, BulkInput<Input>>({
    path: task.path,
    right: 'objects',
    maxBytes: MAX_BULK_FORM_BYTES,
    longFields: ['names', 'leftOut', 'chosen', ...(task.longFields ?? [])],
    prefilled: task.prefilled ?? [],
    load: findList,
    texts: ({ isMore }, { lang }) => bulkFormTexts(task, isMore, lang),
    fields: ({ text }, values, visit) => bulkFields(task, text, values, visit),
    names: DOMAIN_FIELDS,
    read: (form, _list, parts, visit) => readBulk(task, form, parts, visit),
    contentOf: ({ input: { chosen }, asked: { input: sent, visit } }) => {
      const fields = task.fields((name) => sent.field(name), visit);
      return [
        task.path,
        fields.map(({ name }) => [name, sent.field(name)]),
        chosen.map(({ name, code }) => [name, code]),
      ];
    },
    show: (step) => show(runOf(task, step)),
    confirm: (step, agreed) => confirm(runOf(task, step), agreed),
  });
  const run: ConsoleChange['run'] = async (parts, visit, input) => {
    const isBegun = input.field('step') === SELECTED;
    return change.run(parts, visit, isBegun ? await beginSelected(task, input, parts, visit) : input);
  };
  return { page, change: { ...change, run } };
};

async function readBulk<Input>(
  task: BulkTask<Input>,
  form: FormInput,
  parts: ConsoleParts,
  visit: Visit,
): Promise<Parsed<BulkInput<Input>>> {
  const read = task.read(form);
  const list = await readList(task, form, parts);
  if ('refusals' in read || 'refusals' in list)
    return {
      refusals: [...('refusals' in read ? read.refusals : []), ...('refusals' in list ? list.refusals : [])],
    };
  const { value: input } = read;
  const { value: listed } = list;
  if (isFirstStep(form))
    return listed.length === 0
      ? readAll(task, input, parts, visit)
      : { value: { ...NOTHING_CHOSEN, input, listed, isMore: false } };
  const leftOut = readLeftOut(form.field('leftOut'));
  const checked = new Set(form.fields('chosen').flatMap((text) => text.split(/\s+/)));
  const chosen = listed.filter(
    ({ name, isName, isAmbiguous }) => isName && !isAmbiguous && checked.has(name) && !leftOut.has(name),
  );
  return { value: { input, listed, isMore: false, leftOut, checked, chosen } };
}

const NOTHING_CHOSEN = {
  leftOut: new Map<string, string>(),
  checked: new Set<string>(),
  chosen: [],
};
const isFirstStep = (form: FormInput): boolean => ['', 'preview'].includes(form.field('step'));

async function readList<Input>(
  { hasCodes = false }: BulkTask<Input>,
  form: FormInput,
  { policy }: ConsoleParts,
): Promise<Parsed<readonly ListedDomain[]>> {
  try {
    const { listed, isTooLong } = await readNameList(form.field('names'), policy, hasCodes);
    return isTooLong ? { refusals: [refusal('tooManyDomains', { field: 'names' })] } : { value: listed };
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    return { refusals: [refusal('quoteUnclosed', { field: 'names', line: error.line })] };
  }
}

/** The domains where none are named. */
async function readAll<Input>(
  task: BulkTask<Input>,
  input: Input,
  parts: ConsoleParts,
  visit: Visit,
): Promise<Parsed<BulkInput<Input>>> {
  const all = await task.allOf?.(parts, input, visit);
  // Without names it still says whether the rest of the form is right.
  if (all?.names.length === 0) await task.preview(parts, input, [], dryRunContext(parts, visit));
  if (!all || all.names.length === 0) {
    const noneHas = all && task.noneHas;
    return { refusals: [refusal(noneHas ?? 'noDomainNamed', { field: 'names' })] };
  }
  const listed = all.names.map((name) => ({ name, code: '', isName: true, isAmbiguous: false }));
  return { value: { ...NOTHING_CHOSEN, input, listed, isMore: all.isMore } };
}

type Run<Input> = BulkInput<Input> & {
  readonly task: BulkTask<Input>;
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly form: FormInput;
  readonly key: RequestKey | undefined;
};

const runOf = <Input>(
  task: BulkTask<Input>,
  { input, asked: { parts, visit, input: form }, key }: Step<FoundList, BulkInput<Input>>,
): Run<Input> => ({ ...input, task, parts, visit, form, key });

async function show<Input>(run: Run<Input>): Promise<ChangeOutcome | undefined> {
  const { form, isMore, visit } = run;
  if (isFirstStep(form)) return choice(run, isMore ? { notices: [bulkTexts(visit.lang).firstOfMore] } : {});
  return form.field('step') === 'file'
    ? ofChosen(run, () => resultFile(run))
    : ofChosen(run, () => review(run));
}

const confirm = <Input>(run: Run<Input>, { key, agreedPrice }: Agreed) =>
  ofChosen(run, async () => {
    const { task, parts, visit, input, chosen } = run;
    const context = { ...changeContext(parts, visit), requestKey: key, agreedPrice };
    const outcome = await task.run(parts, input, chosen, context);
    return outcome ? resultView({ ...run, price: agreedPrice }) : overtaken(run);
  });

/** Only what was chosen is looked at and done; what is refused is shown where it was chosen. */
async function ofChosen<Input, Outcome extends ChangeOutcome | undefined>(
  run: Run<Input>,
  work: () => Promise<Outcome>,
): Promise<Outcome | View> {
  const texts = bulkTexts(run.visit.lang);
  if (run.chosen.length === 0) return choiceAgain(run, [texts.noneChosen]);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused && isOfForm(error))) throw error;
    // The domains that failed meanwhile show it in the new preview.
    const isOfDomain = ({ at, name }: Refusal) => name !== 'noFunds' && at?.[0] === 'domains';
    const notices = error.refusals.map((each) =>
      isOfDomain(each) ? texts.changed : refusalText(each, run.visit.lang),
    );
    return choiceAgain(run, [...new Set(notices)]);
  }
}

async function choice<Input>(run: Run<Input>, shown: ChoiceNotices): Promise<View> {
  const { task, parts, visit, input, listed } = run;
  const texts = bulkTexts(visit.lang);
  const reasons = new Map(run.leftOut);
  for (const { name, isName, isAmbiguous } of listed)
    if (!isName) reasons.set(name, texts.notName);
    else if (isAmbiguous) reasons.set(name, texts.twoCodes);
  const open = listed.filter(({ name }) => !reasons.has(name));
  const findings =
    open.length === 0 ? [] : await task.preview(parts, input, open, dryRunContext(parts, visit));
  for (const { name, refusal: found } of findings)
    if (found) reasons.set(name, refusalText(found, visit.lang));
  // In the order of the list.
  const leftOut = new Map(
    listed.flatMap(({ name }) => (reasons.has(name) ? [[name, reasons.get(name) ?? ''] as const] : [])),
  );
  return choiceView({ ...run, leftOut, possible: possibleOf(findings) }, shown);
}

const choiceAgain = <Input>(run: Run<Input>, notices: readonly string[]): Promise<View> =>
  choice(run, { notices, checked: run.checked, status: 400 });
const overtaken = <Input>(run: Run<Input>): Promise<View> =>
  choiceAgain(run, [bulkTexts(run.visit.lang).changed]);

const possibleOf = (findings: readonly BulkFinding[]) =>
  findings.flatMap((found) => (found.refusal ? [] : [found]));

async function review<Input>(run: Run<Input>): Promise<View> {
  const { task, parts, visit, input, chosen } = run;
  const context = dryRunContext(parts, visit);
  const possible = possibleOf(await task.preview(parts, input, chosen, context));
  if (possible.length < chosen.length) return overtaken(run);
  const isPaid = possible.some(({ price = 0n }) => price > 0n);
  const outcome = isPaid ? await task.run(parts, input, chosen, context) : undefined;
  return reviewView({ ...run, possible, quote: outcome && quoteOf(outcome) });
}

/** Undefined unless the form was carried out; a key of another content is none. */
async function resultFile<Input>(run: Run<Input>): Promise<Download | undefined> {
  const { task, parts, visit, listed, chosen, leftOut, key: requestKey } = run;
  const keyed = { requestKey, dryRun: false, now: visit.now };
  const stored = await findStoredAnswer(parts.database.reads, keyed).catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  if (stored === undefined) return undefined;
  const done = new Set(chosen.map(({ name }) => name));
  const rows = listed.map(({ name }) =>
    done.has(name)
      ? [name, 'done', '']
      : [name, leftOut.has(name) ? 'refused' : 'not chosen', leftOut.get(name) ?? ''],
  );
  const content = [['domain', 'result', 'reason'], ...rows].map(csvLine).join('');
  const fileName = `${task.path.replaceAll('/', ' ').trim().replaceAll(' ', '-')}.csv`;
  return wholeFile(fileName, 'text/csv; charset=utf-8', content);
}
