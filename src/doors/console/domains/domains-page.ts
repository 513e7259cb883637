import type { FoundPageWithTotal } from '../../../platform/paging/keyset-search.ts';
import { type ListedDomain, findDomainsWithTotal } from '../../../registry/domains/lists/search-domains.ts';
import { storedStatuses } from '../../../registry/domains/rules/domain-statuses.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { actionList } from '../action-list.ts';
import { selectionAddress } from '../assets.ts';
import { selectionBox, selectionForm } from '../bulk/selection-form.ts';
import { columnMenu, isInitial, loadColumns } from '../columns/column-menu.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { loadViews, type Viewed, viewsBar } from '../views/views-bar.ts';
import { changeTexts } from './change-form-texts.ts';
import {
  askedParameters,
  type DomainFilterName,
  domainFilters,
  domainSorts,
  type ReadDomainQuery,
  readDomainQuery,
} from './domain-query.ts';
import { domainCells, domainColumns, showsLinks, sortable } from './domain-columns.ts';
import { type DomainColumn, domainsTexts } from './domains-texts.ts';
import { ownStatusWords } from './own-statuses.ts';

export const domainViews: Viewed = {
  list: 'domains',
  path: '/domains',
  parameters: (input, visit, policy) => {
    const { query, asked } = readDomainQuery(input, visit, policy);
    return query && askedParameters(asked);
  },
};

/** The registrar's domains, filtered and paged. */
export const domainsPage = definePage({
  path: '/domains',
  right: 'read',
  menu: 'domains',
  load: async (parts, visit, input) => {
    const { database, policy } = parts;
    const { principal, now } = visit;
    const read = readDomainQuery(input, visit, policy);
    const { query } = read;
    const shown = await loadColumns(domainColumns, parts, visit);
    const scope = { registrarId: principal.registrarId, now, withLinks: showsLinks(shown) };
    const found =
      query &&
      (await inListTurn(database, principal, (db) => findDomainsWithTotal(db, query, PAGE_SIZE, scope)));
    return { ...read, shown, found, views: await loadViews(domainViews, parts, visit, input) };
  },
  view: ({ found, views, ...read }, visit, { policy }, refused) => {
    const texts = domainsTexts(visit.lang);
    const parameters = askedParameters(read.asked);
    const isFiltered = domainFilters.some((name) => name in parameters);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      views: viewsBar(domainViews, { ...views, parameters, refused }, visit, policy),
      path: '/domains',
      filePath: '/domains.csv',
      parameters,
      filterLabel: texts.filter,
      fields: filterFields(read, visit),
      actions: visit.may('objects') ? newDomainLinks(visit) : undefined,
      found: found && {
        ...found,
        isFirst: read.query?.after === undefined,
        rows: found.rows.length === 0 ? undefined : shownRows(found, read, visit, policy),
        columns: columnMenu(domainColumns, read.shown, parameters, visit),
        none: isFiltered ? texts.none : texts.noneYet,
      },
    });
    return {
      title: texts.title,
      body,
      ...(visit.may('objects') && { scripts: [selectionAddress] }),
      ...(!read.query && { status: 400 }),
    };
  },
});

type Listed = ReadDomainQuery & { readonly shown: readonly DomainColumn[] };

/** To be selected by those who may change domains. */
function shownRows(
  { rows, total, next }: FoundPageWithTotal<ListedDomain>,
  { asked, query, shown }: Listed,
  visit: Visit,
  policy: ConsoleParts['policy'],
): Html {
  const list = domainRows(rows, { asked, shown }, visit, policy);
  if (!visit.may('objects')) return list;
  const selection = {
    parameters: askedParameters(asked),
    count: total && !total.isCut ? total.count : undefined,
    hasPages: next !== undefined || query?.after !== undefined,
  };
  return selectionForm(list, selection, visit);
}

/** How a domain comes to the registrar. */
export function newDomainLinks(visit: Visit): Html {
  const { actions } = changeTexts(visit.lang);
  const links = (['register', 'transfer'] as const).map((page) => ({
    text: actions.names[page],
    href: consoleAddress(`/domains/${page}`),
  }));
  return actionList(links, actions, visit);
}

function filterFields({ asked, wrong }: ReadDomainQuery, { lang }: Visit): FilterField[] {
  const texts = domainsTexts(lang);
  const types: Readonly<Partial<Record<DomainFilterName, FilterField['type']>>> = {
    name: 'search',
    from: 'date',
    to: 'date',
  };
  const fields = domainFilters.map((name) => ({
    name,
    label: texts.fields[name],
    value: asked[name],
    hint: texts.hints[name],
    type: types[name],
    isMain: name === 'name' || name === 'nameserver',
    ...(wrong.includes(name) && { fault: texts.faults[name] }),
    ...(name === 'status' && {
      choices: [
        ['', texts.anyStatus] as const,
        ...storedStatuses
          .map((status) => [status, ownStatusWords(lang, status)?.title ?? status] as const)
          .toSorted(([, one], [, other]) => one.localeCompare(other, lang)),
      ],
    }),
  }));
  const sort = {
    name: 'sort',
    label: texts.fields.sort,
    value: asked.sort,
    isOrder: true,
    choices: domainSorts.map((order) => [order, texts.orders[order]] as const),
  };
  return [...fields, sort];
}

/** The name and what the person wants to see beside it; on telephones two lines, where these are the usual columns. */
function domainRows(
  rows: readonly ListedDomain[],
  { asked, shown }: Pick<Listed, 'asked' | 'shown'>,
  visit: Visit,
  policy: ConsoleParts['policy'],
): Html {
  const mayChange = visit.may('objects');
  const { title, columns } = domainsTexts(visit.lang);
  const cells = domainCells(shown, asked, visit, policy);
  return table(
    {
      label: title,
      kind: isInitial(domainColumns, shown) ? 'list two-lines' : 'list own-columns',
      columns: [sortable('name', columns.name, asked), ...cells],
    },
    rows.map((row) => [
      html`${mayChange && selectionBox(row.name, visit)}<a href="${domainAddress(row.name)}">${isolated(row.name)}</a>`,
      ...cells.map(({ cell }) => cell(row)),
    ]),
  );
}

export const domainAddress = (name: string): string => consoleAddress(`/domains/${encodeURIComponent(name)}`);
