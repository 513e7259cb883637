import type { FoundPageWithTotal } from '../../../platform/paging/keyset-search.ts';
import { type ListedDomain, findDomainsWithTotal } from '../../../registry/domains/lists/search-domains.ts';
import { storedStatuses } from '../../../registry/domains/rules/domain-statuses.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { isolated, shortDayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { actionList } from '../action-list.ts';
import { selectionAddress } from '../assets.ts';
import { selectionBox, selectionForm } from '../bulk/selection-form.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { loadViews, type Viewed, viewsBar } from '../views/views-bar.ts';
import { changeTexts } from './change-form-texts.ts';
import {
  type AskedDomains,
  askedParameters,
  type DomainSort,
  type DomainFilterName,
  domainFilters,
  domainSorts,
  type ReadDomainQuery,
  readDomainQuery,
} from './domain-query.ts';
import { domainsTexts } from './domains-texts.ts';
import { ownStatusWords } from './own-statuses.ts';
import { stateTag } from './state-tag.ts';

export const domainViews: Viewed = {
  list: 'domains',
  path: '/domains',
  parameters: (input, _visit, policy) => {
    const { query, asked } = readDomainQuery(input, policy);
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
    const scope = { registrarId: principal.registrarId, now };
    const read = readDomainQuery(input, policy);
    const { query } = read;
    const found =
      query &&
      (await inListTurn(database, principal, (db) => findDomainsWithTotal(db, query, PAGE_SIZE, scope)));
    return { ...read, found, views: await loadViews(domainViews, parts, visit, input) };
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

/** To be selected by those who may change domains. */
function shownRows(
  { rows, total, next }: FoundPageWithTotal<ListedDomain>,
  { asked, query }: ReadDomainQuery,
  visit: Visit,
  policy: ConsoleParts['policy'],
): Html {
  const shown = domainRows(rows, asked, visit, policy);
  if (!visit.may('objects')) return shown;
  const selection = {
    parameters: askedParameters(asked),
    count: total && !total.isCut ? total.count : undefined,
    hasPages: next !== undefined || query?.after !== undefined,
  };
  return selectionForm(shown, selection, visit);
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

function domainRows(
  rows: readonly ListedDomain[],
  asked: AskedDomains,
  visit: Visit,
  policy: ConsoleParts['policy'],
): Html {
  const { lang } = visit;
  const mayChange = visit.may('objects');
  const { title, columns } = domainsTexts(lang);
  const sortable = (name: 'name' | 'expire_time' | 'created_at', text: string) => {
    const isAscending = asked.sort === name;
    const order: DomainSort = isAscending ? `-${name}` : name;
    const sorted = isAscending ? 'ascending' : asked.sort === `-${name}` ? 'descending' : undefined;
    return {
      title: text,
      sortHref: consoleAddress('/domains', askedParameters({ ...asked, sort: order })),
      sorted,
    } as const;
  };
  return table(
    {
      label: title,
      kind: 'list two-lines',
      columns: [
        sortable('name', columns.name),
        { title: columns.registrant },
        { title: columns.state },
        sortable('expire_time', columns.expires),
        sortable('created_at', columns.created),
      ],
    },
    rows.map((row) => [
      html`${mayChange && selectionBox(row.name, visit)}<a href="${domainAddress(row.name)}">${isolated(row.name)}</a>`,
      html`<a href="${contactAddress(row.registrantCode)}">${isolated(row.registrantName)}</a>`,
      stateTag(row, visit, policy),
      shortDayIn(lang, row.expireTime, policy),
      shortDayIn(lang, row.createdAt, policy),
    ]),
  );
}

export const domainAddress = (name: string): string => consoleAddress(`/domains/${encodeURIComponent(name)}`);
export const contactAddress = (code: string): string =>
  consoleAddress(`/contacts/${encodeURIComponent(code)}`);
