import { findStoredAnswer } from '../../../operations/stored-answers.ts';
import { type Refusal, Refused } from '../../../operations/refusal.ts';
import { parseDecimal } from '../../../platform/values/money.ts';
import { findDomainNames } from '../../../registry/domains/lists/find-domains.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { csvLine, UnclosedQuote } from '../../http/csv.ts';
import { readDomainQuery } from '../domains/domain-query.ts';
import { dryRunContext, formKey, isOfForm, quoteOf } from '../form-context.ts';
import type { Values } from '../form-definition.ts';
import { MAX_BULK_FORM_BYTES } from '../form-size.ts';
import type {
  ChangeOutcome,
  ConsoleChange,
  ConsolePage,
  ConsoleParts,
  Download,
  FormInput,
  PageInput,
  View,
  Visit,
} from '../console-page.ts';
import { refusalText } from '../refusal-texts.ts';
import { DOMAIN_FIELDS, placeRefusals } from '../render-refusals.ts';
import type { BulkTask } from './bulk-task.ts';
import { bulkTexts } from './bulk-texts.ts';
import { type FormState, formView, previewView, resultView, reviewView } from './bulk-views.ts';
import { type ListedDomain, listText, MAX_NAMES, readLeftOut, readNameList } from './name-list.ts';

type Asked<Input> = {
  readonly task: BulkTask<Input>;
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly form: FormInput;
};

/**
 * A change of many domains in steps: a list, its preview, the chosen ones with their price, the result. Nothing is kept
 * between the steps: the list travels in the forms. What could not be done at one step is not tried again at the next,
 * since every wrong transfer code counts.
 */
export function defineBulk<Input>(task: BulkTask<Input>): {
  readonly page: ConsolePage;
  readonly change: ConsoleChange;
} {
  const described = { path: task.path, right: 'objects' } as const;
  return {
    page: {
      ...described,
      answer: async (parts, visit, input) => {
        const found = await namesOfList(parts, visit, input);
        const values = (name: string, initial = '') => input.query(name) || initial;
        return formView(task, { values, names: found?.text ?? '', isMore: found?.isMore ?? false }, visit);
      },
    },
    change: {
      ...described,
      maxBytes: MAX_BULK_FORM_BYTES,
      longFields: ['names', 'leftOut', 'chosen'],
      run: async (parts, visit, form) => {
        const asked = { task, parts, visit, form };
        if (form.field('step') === 'edit') return formView(task, stateOf(form), visit);
        try {
          return await answerForm(asked);
        } catch (error) {
          if (error instanceof Refused && isOfForm(error)) return faultyForm(asked, error.refusals);
          if (error instanceof UnclosedQuote)
            return faultyNames(asked, bulkTexts(visit.lang).unclosedQuote(error.line));
          throw error;
        }
      },
    },
  };
}

const stateOf = (form: FormInput): FormState => ({
  values: (name) => form.field(name),
  names: form.field('names'),
  isMore: false,
});

/** The domains of a list of the console, by the parameters of its address. */
async function namesOfList({ database, policy }: ConsoleParts, { principal }: Visit, input: PageInput) {
  if (input.query('list') === '') return undefined;
  const { query } = readDomainQuery(input, policy);
  if (!query) return undefined;
  const find = { filter: query.filter, order: query.order };
  const { names, isMore } = await inListTurn(database, principal, (db) =>
    findDomainNames(db, find, MAX_NAMES, principal),
  );
  return { text: listText(names.map((name) => ({ name, code: '' }))), isMore };
}

function faultyForm<Input>({ task, form, visit }: Asked<Input>, refusals: readonly Refusal[]): View {
  const faults = new Map<string, string>();
  const others: string[] = [];
  const known = new Set(task.fields((name) => form.field(name), visit).map(({ name }) => name));
  const values: Values = (name) => form.field(name);
  for (const { refusal, field } of placeRefusals(refusals, DOMAIN_FIELDS, values)) {
    if (field !== null && known.has(field)) faults.set(field, refusalText(refusal, visit.lang));
    else others.push(refusalText(refusal, visit.lang));
  }
  return formView(task, { ...stateOf(form), faults, others: [...new Set(others)] }, visit);
}

const faultyNames = <Input>({ task, form, visit }: Asked<Input>, text: string): View =>
  formView(task, { ...stateOf(form), faults: new Map([['names', text]]) }, visit);

async function answerForm<Input>(asked: Asked<Input>): Promise<ChangeOutcome | undefined> {
  const { task, parts, visit, form } = asked;
  const texts = bulkTexts(visit.lang);
  const read = task.read(form);
  const list = await readNameList(form.field('names'), parts.policy, task.hasCodes ?? false);
  if ('refusals' in read) return faultyForm(asked, read.refusals);
  if (list.isTooLong) return faultyNames(asked, texts.tooMany);
  const run = { ...asked, input: read.value, listed: list.listed };
  if (form.field('step') !== '' && form.field('step') !== 'preview') return goOn(run);
  if (list.listed.length > 0) return preview(run, {});
  const all = await task.allOf?.(parts, read.value, visit);
  if (!all) return faultyNames(asked, texts.none);
  const listed = all.names.map((name) => ({ name, code: '', isName: true, isAmbiguous: false }));
  // Without names it still says whether the rest of the form is right.
  if (listed.length === 0) await task.preview(parts, read.value, [], dryRunContext(parts, visit));
  return listed.length === 0
    ? faultyNames(asked, task.noneHas?.(visit.lang) ?? texts.none)
    : preview({ ...run, listed }, all.isMore ? { notices: [texts.firstOfMore] } : {});
}

type Run<Input> = Asked<Input> & { readonly input: Input; readonly listed: readonly ListedDomain[] };
type Shown = {
  readonly notices?: readonly string[];
  readonly leftOut?: ReadonlyMap<string, string>;
  /** All of them if undefined. */
  readonly chosen?: ReadonlySet<string>;
  readonly status?: number;
};

async function preview<Input>(run: Run<Input>, shown: Shown): Promise<View> {
  const { task, parts, visit, input, listed } = run;
  const texts = bulkTexts(visit.lang);
  const reasons = new Map(shown.leftOut);
  for (const { name, isName, isAmbiguous } of listed)
    if (!isName) reasons.set(name, texts.notName);
    else if (isAmbiguous) reasons.set(name, texts.twoCodes);
  const open = listed.filter(({ name }) => !reasons.has(name));
  const findings =
    open.length === 0 ? [] : await task.preview(parts, input, open, dryRunContext(parts, visit));
  for (const { name, refusal } of findings) if (refusal) reasons.set(name, refusalText(refusal, visit.lang));
  // In the order of the list.
  const leftOut = new Map(
    listed.flatMap(({ name }) => (reasons.has(name) ? [[name, reasons.get(name) ?? ''] as const] : [])),
  );
  const possible = findings.flatMap((found) => (found.refusal ? [] : [found]));
  return previewView({ ...run, ...shown, leftOut, possible });
}

/** What follows the preview: only what was chosen there is looked at and done. */
async function goOn<Input>(run: Run<Input>): Promise<ChangeOutcome | undefined> {
  const { task, parts, visit, input, form } = run;
  const texts = bulkTexts(visit.lang);
  const leftOut = readLeftOut(form.field('leftOut'));
  const names = new Set(form.fields('chosen').flatMap((text) => text.split(/\s+/)));
  const chosen = run.listed.filter(
    ({ name, isName, isAmbiguous }) => isName && !isAmbiguous && names.has(name) && !leftOut.has(name),
  );
  const previewAgain = (notice: readonly string[]) =>
    preview(run, { notices: notice, leftOut, chosen: names, status: 400 });
  if (chosen.length === 0) return previewAgain([texts.noneChosen]);

  const context = dryRunContext(parts, visit);
  const fields = task.fields((name) => form.field(name), visit).map(({ name }) => [name, form.field(name)]);
  const content = [task.path, fields, chosen.map(({ name, code }) => [name, code])];
  const requestKey = formKey(form.field('key'), content, visit);
  const price = parseDecimal(form.field('price'));
  if (form.field('step') === 'file') {
    const isDone = requestKey && (await isStored(parts, { requestKey, dryRun: false, now: visit.now }));
    return isDone ? resultFile({ ...run, chosen, leftOut }) : undefined;
  }
  try {
    if (form.field('step') === 'confirm' && requestKey && price !== undefined) {
      const agreed = { ...context, requestKey, dryRun: false, agreedPrice: price };
      const outcome = await task.run(parts, input, chosen, agreed);
      return outcome ? resultView({ ...run, chosen, leftOut, price }) : await previewAgain([texts.changed]);
    }
    const findings = await task.preview(parts, input, chosen, context);
    const possible = findings.flatMap((found) => (found.refusal ? [] : [found]));
    if (possible.length < chosen.length) return await previewAgain([texts.changed]);
    const isPaid = possible.some(({ price: amount = 0n }) => amount > 0n);
    const quote = isPaid ? await task.run(parts, input, chosen, context) : undefined;
    return reviewView({ ...run, possible, leftOut, quote: quote && quoteOf(quote) });
  } catch (error) {
    if (!(error instanceof Refused && isOfForm(error))) throw error;
    // The domains that failed meanwhile show it in the new preview.
    const isOfDomain = ({ at, name }: Refusal) => name !== 'noFunds' && at?.[0] === 'domains';
    const notices = error.refusals.map((each) =>
      isOfDomain(each) ? texts.changed : refusalText(each, visit.lang),
    );
    return previewAgain([...new Set(notices)]);
  }
}

/** Whether the form was carried out; a key of another content is none. */
async function isStored(
  { database }: ConsoleParts,
  keyed: Parameters<typeof findStoredAnswer>[1],
): Promise<boolean> {
  try {
    return (await findStoredAnswer(database.reads, keyed)) !== undefined;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

type Done<Input> = Run<Input> & {
  readonly chosen: readonly ListedDomain[];
  readonly leftOut: ReadonlyMap<string, string>;
};

function resultFile<Input>({ task, listed, chosen, leftOut }: Done<Input>): Download {
  const done = new Set(chosen.map(({ name }) => name));
  const rows = listed.map(({ name }) =>
    done.has(name)
      ? [name, 'done', '']
      : [name, leftOut.has(name) ? 'refused' : 'not chosen', leftOut.get(name) ?? ''],
  );
  const pieces = (async function* () {
    yield [['domain', 'result', 'reason'], ...rows].map(csvLine).join('');
  })();
  const fileName = `${task.path.replaceAll('/', ' ').trim().replaceAll(' ', '-')}.csv`;
  return { fileName, type: 'text/csv; charset=utf-8', pieces };
}
