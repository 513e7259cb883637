import { findDomainNames } from '../../../registry/domains/lists/search-domains.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { ConsoleParts, FormInput, PageInput, Visit } from '../console-page.ts';
import { readDomainQuery } from '../domains/domain-query.ts';
import type { BulkTask } from './bulk-task.ts';
import type { FoundList } from './bulk-views.ts';
import { listText, MAX_NAMES } from './name-list.ts';

/** The domains of a list of the console, by the parameters of its address. */
export async function findList(
  { database, policy }: ConsoleParts,
  { principal }: Visit,
  input: Pick<PageInput, 'query'>,
): Promise<FoundList> {
  const { query } = input.query('list') === '' ? {} : readDomainQuery(input, policy);
  if (!query) return { text: '', isMore: false };
  const find = { filter: query.filter, order: query.order };
  const { names, isMore } = await inListTurn(database, principal, (db) =>
    findDomainNames(db, find, MAX_NAMES, principal),
  );
  return { text: textOf(names), isMore };
}

const textOf = (names: readonly string[]): string => listText(names.map((name) => ({ name, code: '' })));

/**
 * The form of a bulk change as if it had been filled in with the domains that were selected in a list: those that are
 * checked, or all of its filter. It is previewed where its other fields can be left as they are.
 */
export async function beginSelected<Input>(
  task: BulkTask<Input>,
  input: FormInput,
  parts: ConsoleParts,
  visit: Visit,
): Promise<FormInput> {
  const parameters = new URLSearchParams(input.field('list'));
  const filter = (name: string) => (name === 'list' ? '1' : (parameters.get(name) ?? ''));
  const isAll = input.field('all') !== '';
  const list = isAll
    ? await findList(parts, visit, { query: filter })
    : { text: textOf(input.fields('chosen').slice(0, MAX_NAMES)), isMore: false };
  const initial = task.fields((_, value = '') => value, visit);
  const fields = new Map([
    ['step', task.isReady ? 'preview' : 'edit'],
    ['names', list.text],
    ...initial.map(({ name, value = '' }) => [name, value] as const),
  ]);
  return {
    ...input,
    query: list.isMore ? filter : () => '',
    field: (name) => fields.get(name) ?? '',
    fields: () => [],
  };
}
