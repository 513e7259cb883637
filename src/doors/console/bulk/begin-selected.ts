import type { BulkInputs, BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import { type BulkJob, findBulkJob, listRowsWith } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { canBeUndone } from '../../../registry/bulk-jobs/undo-bulk-job.ts';
import { findDomainNames } from '../../../registry/domains/lists/search-domains.ts';
import { periodOf } from '../../../registry/domains/rules/periods.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { ConsoleParts, FormInput, PageInput, Visit } from '../console-page.ts';
import { readDomainQuery } from '../domains/domain-query.ts';
import { AGAIN, AGAIN_OF, BACK, SELECTED } from './beginning-steps.ts';
import type { BulkTask } from './bulk-task.ts';
import type { FoundList } from './bulk-views.ts';
import { listText, MAX_NAMES } from './name-list.ts';

/** The domains of a list of the console, by the parameters of its address. */
export async function findList(
  { database, policy }: ConsoleParts,
  visit: Visit,
  input: Pick<PageInput, 'query'>,
): Promise<FoundList> {
  const { query } = input.query('list') === '' ? {} : readDomainQuery(input, visit, policy);
  if (!query) return { text: '', isMore: false };
  const find = { filter: query.filter, order: query.order };
  const { names, isMore } = await inListTurn(database, visit.principal, (db) =>
    findDomainNames(db, find, MAX_NAMES, visit.principal),
  );
  return { text: textOf(names), isMore };
}

const textOf = (names: readonly string[]): string => listText(names.map((name) => ({ name, code: '' })));

type Begin = <Kind extends BulkKind>(
  task: BulkTask<Kind>,
  input: FormInput,
  parts: ConsoleParts,
  visit: Visit,
) => Promise<FormInput | undefined>;

/**
 * The form of a bulk change as if it had been filled in with the domains that were selected in a list: those that are
 * checked, or all of its filter. It is previewed where its other fields can be left as they are.
 */
const beginSelected: Begin = async (task, input, parts, visit) => {
  const parameters = new URLSearchParams(input.field('list'));
  const filter = (name: string) => (name === 'list' ? '1' : (parameters.get(name) ?? ''));
  const isAll = input.field('all') !== '';
  const list = isAll
    ? await findList(parts, visit, { query: filter })
    : { text: textOf(input.fields('chosen').slice(0, MAX_NAMES)), isMore: false };
  const initial = task.fields((_, value = '') => value, visit);
  return filledIn(input, list.isMore ? filter : () => '', [
    ...initial.map(({ name, value = '' }) => [name, value] as const),
    ['names', list.text],
    ['step', task.isReady ? 'preview' : 'edit'],
  ]);
};

/** The same with the rows of a job of the same kind: what was refused in it, or what it is to change back. */
async function beginFromJob<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  input: FormInput,
  { database }: ConsoleParts,
  visit: Visit,
  outcome: 'refused' | 'changed',
): Promise<FormInput | undefined> {
  const job = await findBulkJob(database.reads, visit.principal, input.field('job'));
  const values = job && valuesFrom(job, task, outcome);
  if (!job || !values) return undefined;
  const rows = await inListTurn(database, visit.principal, (db) => listRowsWith(db, job, outcome));
  const listed = rows.map(({ name, code, months }) => ({
    name,
    code: code ?? (months === null ? '' : periodOf(months)),
  }));
  return filledIn(input, () => '', [
    ...Object.entries(values),
    ['names', listText(listed)],
    [AGAIN_OF, outcome === 'refused' ? job.id : ''],
    ['step', 'preview'],
  ]);
}

/** The fields with which a job is repeated, or taken back: by the reverse of it, or by what history has of it. */
function valuesFrom<Kind extends BulkKind>(
  job: BulkJob,
  task: BulkTask<Kind>,
  outcome: 'refused' | 'changed',
): Readonly<Record<string, string>> | undefined {
  if (outcome === 'changed' && task.kind === 'undo') return canBeUndone(job) ? { job: job.id } : undefined;
  if (job.kind !== task.kind) return undefined;
  const done = job.input as BulkInputs[Kind];
  const change = outcome === 'refused' ? done : task.reverse?.(done);
  return change && task.valuesOf(change);
}

export const BEGINNINGS: ReadonlyMap<string, Begin> = new Map<string, Begin>([
  [SELECTED, beginSelected],
  [AGAIN, (...begin) => beginFromJob(...begin, 'refused')],
  [BACK, (...begin) => beginFromJob(...begin, 'changed')],
]);

function filledIn(
  input: FormInput,
  query: FormInput['query'],
  values: readonly (readonly [name: string, value: string])[],
): FormInput {
  const fields = new Map(values);
  return { ...input, query, field: (name) => fields.get(name) ?? '', fields: () => [] };
}
