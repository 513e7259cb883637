import { findStoredAnswer, type RequestKey, storingAs } from '../../../operations/stored-answers.ts';
import { type Parsed, type Refusal, Refused } from '../../../operations/refusal.ts';
import { isNotInSchema } from '../../../platform/database/database-errors.ts';
import type { Cents } from '../../../platform/values/money.ts';
import { beginBulkJob, type NewBulkRow } from '../../../registry/bulk-jobs/begin-bulk-job.ts';
import type { BulkChange, BulkInputs, BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import { countBegun } from '../../../registry/bulk-jobs/count-outcomes.ts';
import { isJobId } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { runBulkJobNow } from '../../../registry/bulk-jobs/run-bulk-jobs.ts';
import type { BulkFinding } from '../../../registry/domains/bulk/bulk-findings.ts';
import { parseBulkPeriod } from '../../../registry/domains/rules/periods.ts';
import { checkTotal } from '../../../registry/prices/check-total.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { UnclosedQuote } from '../../http/csv.ts';
import { changeContext, dryRunContext, isOfForm } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import { MAX_BULK_FORM_BYTES } from '../form-size.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsolePage,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type View,
  type Visit,
} from '../console-page.ts';
import { refusalText } from '../refusal-texts.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { type Agreed, defineStepped, type Step } from '../stepped-form.ts';
import { BEGINNINGS, findList } from './begin-selected.ts';
import { AGAIN_OF } from './beginning-steps.ts';
import type { BulkTask, Possible } from './bulk-task.ts';
import { bulkTexts } from './bulk-texts.ts';
import { bulkFields, bulkFormTexts, type FoundList, previewView } from './bulk-views.ts';
import { checkWritten, leftOutBefore } from './check-written.ts';
import { chosenColumns, RECHOOSE, withOtherColumns } from './chosen-columns.ts';
import type { ListColumns } from './list-columns.ts';
import { MEND, mendedForm } from './mend-lines.ts';
import { type LeftOut, type ListedDomain, type NameList, readNameList } from './name-list.ts';

/** What the forms of a bulk change hold. */
type BulkInput<Kind extends BulkKind> = {
  readonly input: BulkInputs[Kind];
  readonly listed: readonly ListedDomain[];
  /** All that the task could change are more than these. */
  readonly isMore: boolean;
  /** What could not be done at an earlier step, and why. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** Of the table that was pasted, where it is one. */
  readonly columns: ListColumns | undefined;
  /** What the person does not want to change. */
  readonly skipped: ReadonlySet<string>;
};

/**
 * A form with a preview for many domains: a list, a preview, a job. The list travels in the forms until then. What could
 * not be done at one step is not tried again at the next, since every wrong transfer code counts.
 */
export const defineBulk = <Kind extends BulkKind>(
  task: BulkTask<Kind>,
): { readonly page: ConsolePage; readonly change: ConsoleChange; readonly task: BulkTask<Kind> } => {
  const { page, change } = defineStepped<FoundList, BulkInput<Kind>>({
    path: task.path,
    right: 'objects',
    needsRecentLogin: task.needsRecentLogin ?? false,
    maxBytes: MAX_BULK_FORM_BYTES,
    longFields: ['names', 'leftOut', 'skip', 'chosen', ...(task.longFields ?? [])],
    prefilled: task.prefilled ?? [],
    load: findList,
    texts: ({ isMore }, { lang }) => bulkFormTexts(task, isMore, lang),
    fields: ({ text }, values, visit) => bulkFields(task, text, values, visit),
    names: DOMAIN_FIELDS,
    read: (form, _list, parts, visit) => readBulk(task, form, parts, visit),
    contentOf: ({ input: { listed, skipped }, asked: { input: sent, visit } }) => {
      const fields = task.fields((name) => sent.field(name), visit);
      return [
        task.path,
        fields.map(({ name }) => [name, sent.field(name)]),
        listed.map(({ name, code }) => [name, code]),
        [...skipped].toSorted(),
      ];
    },
    show: (step) => {
      const run = runOf(task, step);
      return preview(run, run.isMore ? [bulkTexts(run.visit.lang).firstOfMore] : []);
    },
    confirm: (step, agreed) => begin(runOf(task, step), agreed),
  });
  const mended = async (input: FormInput) => {
    if (input.field('step') === RECHOOSE) return withOtherColumns(input);
    return input.field('step') === MEND ? mendedForm(input, task) : input;
  };
  const run: ConsoleChange['run'] = async (parts, visit, input) => {
    const begun = BEGINNINGS.get(input.field('step'));
    if (!begun) return change.run(parts, visit, await mended(input));
    const filled = await begun(task, input, parts, visit);
    return filled && change.run(parts, visit, filled);
  };
  const refill: ConsoleChange['refill'] = async (parts, visit, input) =>
    change.refill?.(parts, visit, await mended(input));
  return { page, change: { ...change, run, refill }, task };
};

async function readBulk<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  form: FormInput,
  parts: ConsoleParts,
  visit: Visit,
): Promise<Parsed<BulkInput<Kind>>> {
  const read = task.read(form, parts);
  const list = await readList(task, form, parts);
  if ('refusals' in read || 'refusals' in list)
    return {
      refusals: [...('refusals' in read ? read.refusals : []), ...('refusals' in list ? list.refusals : [])],
    };
  const { value: input } = read;
  const { listed, columns } = list.value;
  if (listed.length === 0) return readAll(task, input, parts, visit);
  const leftOut = leftOutBefore(task, form);
  const names = new Set(listed.map(({ name }) => name));
  const skipped = new Set(form.fields('skip').filter((name) => names.has(name)));
  return { value: { input, listed, isMore: false, leftOut, columns, skipped } };
}

async function readList(
  { lineHas }: Pick<BulkTask, 'lineHas'>,
  form: FormInput,
  { policy }: ConsoleParts,
): Promise<Parsed<NameList>> {
  const chosen = chosenColumns(form);
  if ('refusals' in chosen) return chosen;
  const text = form.field('names');
  try {
    const list = await readNameList(text, policy, lineHas, chosen.value);
    if (list.isTooLong) return { refusals: [refusal('tooManyDomains', { field: 'names' })] };
    // Nothing in the columns of a table, or lines that were emptied, do not mean all domains.
    const isGiven = text.trim() !== '' || form.field('step') === MEND;
    const isEmpty = list.listed.length === 0 && isGiven;
    return isEmpty ? { refusals: [refusal('noDomainNamed', { field: 'names' })] } : { value: list };
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    return { refusals: [refusal('quoteUnclosed', { field: 'names', line: error.line })] };
  }
}

/** The domains where none are named. */
async function readAll<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  input: BulkInputs[Kind],
  parts: ConsoleParts,
  visit: Visit,
): Promise<Parsed<BulkInput<Kind>>> {
  const all = await task.allOf?.(parts, input, visit);
  // Without names it still says whether the rest of the form is right.
  if (all?.names.length === 0) await task.preview(parts, input, [], dryRunContext(parts, visit));
  if (!all || all.names.length === 0) {
    const noneHas = all && task.noneHas;
    return { refusals: [refusal(noneHas ?? 'noDomainNamed', { field: 'names' })] };
  }
  const listed = all.names.map((name) => ({ name, code: '', isName: true, isAmbiguous: false }));
  const leftOut = new Map<string, LeftOut>();
  return {
    value: { input, listed, isMore: all.isMore, leftOut, columns: undefined, skipped: new Set() },
  };
}

type Run<Kind extends BulkKind> = BulkInput<Kind> & {
  readonly task: BulkTask<Kind>;
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly form: FormInput;
  readonly key: RequestKey | undefined;
};

const runOf = <Kind extends BulkKind>(
  task: BulkTask<Kind>,
  { input, asked: { parts, visit, input: form }, key }: Step<FoundList, BulkInput<Kind>>,
): Run<Kind> => ({ ...input, task, parts, visit, form, key });

type Checked = {
  readonly possible: readonly Possible[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** Those of them that are not written as they should be. */
  readonly wrong: ReadonlyMap<string, LeftOut>;
};

/** Domains whose findings one statement reads. */
const AT_ONCE = 500;

/** What would become of each, but for those that were left out before. */
async function check<Kind extends BulkKind>(run: Run<Kind>): Promise<Checked> {
  const { task, parts, visit, input, listed } = run;
  const wrong = checkWritten(run);
  const reasons = new Map([...run.leftOut, ...wrong]);
  const open = listed.filter(({ name }) => !reasons.has(name));
  const findings: BulkFinding[] = [];
  for (let start = 0; start < open.length; start += AT_ONCE) {
    const some = open.slice(start, start + AT_ONCE);
    findings.push(...(await task.preview(parts, input, some, dryRunContext(parts, visit))));
  }
  for (const { name, refusal: found } of findings) if (found) reasons.set(name, found);
  // In the order of the list.
  const leftOut = new Map(
    listed.flatMap(({ name }) => {
      const reason = reasons.get(name);
      return reason ? [[name, reason] as const] : [];
    }),
  );
  return { possible: findings.flatMap((found) => (found.refusal ? [] : [found])), leftOut, wrong };
}

const totalOf = (possible: readonly Possible[]): Cents =>
  possible.reduce((sum, { price = 0n }) => sum + price, 0n);

async function preview<Kind extends BulkKind>(
  run: Run<Kind>,
  notices: readonly string[],
  status?: number,
): Promise<View> {
  const { parts, visit } = run;
  const checked = await check(run);
  const chosen = checked.possible.filter(({ name }) => !run.skipped.has(name));
  const price = totalOf(chosen);
  const { balanceAfter, refusals } =
    price === 0n
      ? { balanceAfter: undefined, refusals: [] }
      : await checkTotal(parts.database.reads, price, visit.principal);
  const short = refusals.map((each) => refusalText(each, visit.lang));
  return previewView(
    { ...run, ...checked, price, balanceAfter },
    {
      notices: [...new Set([...notices, ...short])],
      isWrong: status !== undefined || short.length > 0,
      status,
    },
  );
}

/** Stores the job, and carries out what can be done at once; the rest goes on without the browser. */
async function begin<Kind extends BulkKind>(
  run: Run<Kind>,
  { key, agreedPrice }: Agreed,
): Promise<ChangeOutcome> {
  const { task, parts, visit, input } = run;
  const context = { ...changeContext(parts, visit), requestKey: storingAs(key, (answer: object) => answer) };
  const jobPage = ({ id }: { readonly id: string }) => ({ to: consoleAddress(`/jobs/${id}`) });
  try {
    // A form that is sent twice leads to its job, whatever became of the domains since.
    const stored = await findStoredAnswer(parts.database.reads, context);
    if (stored) return jobPage(stored as { readonly id: string });
    const rows = await rowsOf(run, agreedPrice);
    if ('body' in rows) return rows;
    const { personId: id, name } = visit.session;
    const again = run.form.field(AGAIN_OF);
    const job = {
      ...({ kind: task.kind, input } as BulkChange),
      rows,
      person: { id, name },
      ...(isJobId(again) && { again }),
    };
    const outcome = await runRegistryOperation(parts.database, beginBulkJob, job, context);
    const begun = outcome.replayed ? (outcome.stored as { readonly id: string }) : outcome.answer;
    if (!outcome.replayed) {
      const refused = rows.filter((row) => row.refusal).length;
      countBegun(parts.metrics, { kind: task.kind, refused });
      await runBulkJobNow(parts, begun.id, visit.now, AT_ONCE_MS);
    }
    return jobPage(begun);
  } catch (error) {
    // Until the schema is migrated during an upgrade.
    if (isNotInSchema(error)) return previewAgain(run, [bulkTexts(visit.lang).upgrading]);
    if (!(error instanceof Refused && isOfForm(error))) throw error;
    return previewAgain(
      run,
      error.refusals.map((each) => refusalText(each, visit.lang)),
    );
  }
}

/** A person waits so long for a small job to be done. */
const AT_ONCE_MS = 1_000;

const previewAgain = <Kind extends BulkKind>(run: Run<Kind>, notices: readonly string[]): Promise<View> =>
  preview(run, notices, 400);

/** The rows of the job, each at the price that the preview has shown; or the preview again. */
async function rowsOf<Kind extends BulkKind>(
  run: Run<Kind>,
  agreedPrice: Cents,
): Promise<readonly NewBulkRow[] | View> {
  const { task, visit, listed, skipped } = run;
  const isPaid = task.kind === 'renew';
  const { possible, leftOut } = isPaid
    ? await check(run)
    : { possible: [], leftOut: new Map([...run.leftOut, ...checkWritten(run)]) };
  const prices = new Map(possible.map(({ name, price }) => [name, price]));
  const rows = listed
    .filter(({ name }) => !skipped.has(name))
    .map(({ name, code }): NewBulkRow => {
      const reason: Pick<Refusal, 'name' | 'values'> | undefined = leftOut.get(name);
      const price = prices.get(name);
      if (task.lineHas === 'period') return { name, refusal: reason, price, months: parseBulkPeriod(code) };
      return { name, refusal: reason, price, code: code === '' ? undefined : code };
    });
  const texts = bulkTexts(visit.lang);
  if (!rows.some((row) => row.refusal === undefined)) return previewAgain(run, [texts.noneChosen]);
  if (isPaid) {
    if (totalOf(possible) !== agreedPrice) return previewAgain(run, [texts.changed]);
    const price = rows.reduce((sum, row) => sum + (row.refusal ? 0n : (row.price ?? 0n)), 0n);
    const { refusals } = await checkTotal(run.parts.database.reads, price, visit.principal);
    if (refusals.length > 0) return previewAgain(run, []);
  }
  return rows;
}
