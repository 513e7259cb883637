import type { ListedDomain } from '../../../registry/domains/lists/search-domains.ts';
import type { Policy } from '../../../policy/policy.ts';
import { isolated, shortDayIn } from '../../html/language.ts';
import { html, type HtmlValue, type Language } from '../../html/layout.ts';
import type { Columned, ShownColumn } from '../columns/column-menu.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { type AskedDomains, askedParameters, type DomainSort } from './domain-query.ts';
import { type DomainColumn, domainsTexts } from './domains-texts.ts';
import { stateTag } from './state-tag.ts';

const COLUMNS: readonly DomainColumn[] = [
  'registrant',
  'state',
  'expires',
  'created',
  'changed',
  'admins',
  'techs',
  'nameservers',
  'reference',
];

export const domainColumns: Columned<DomainColumn> = {
  list: 'domains',
  path: '/domains',
  columns: COLUMNS,
  initial: ['registrant', 'state', 'expires', 'created'],
  titles: (lang: Language) => domainsTexts(lang).columns,
};

/** Columns that are read of other tables than the rest. */
const OF_LINKS: readonly DomainColumn[] = ['admins', 'techs', 'nameservers'];
export const showsLinks = (shown: readonly DomainColumn[]): boolean =>
  OF_LINKS.some((name) => shown.includes(name));

/** The columns after the name. */
export function domainCells(
  shown: readonly DomainColumn[],
  asked: AskedDomains,
  visit: Visit,
  policy: Policy,
): ShownColumn<ListedDomain>[] {
  const { lang } = visit;
  const { columns } = domainsTexts(lang);
  const cells: Readonly<Record<DomainColumn, (row: ListedDomain) => HtmlValue>> = {
    registrant: (row) =>
      html`<a href="${contactAddress(row.registrantCode)}">${isolated(row.registrantName)}</a>`,
    state: (row) => stateTag(row, visit, policy),
    expires: (row) => shortDayIn(lang, row.expireTime, policy),
    created: (row) => shortDayIn(lang, row.createdAt, policy),
    changed: (row) => shortDayIn(lang, row.updatedAt, policy),
    admins: (row) => links(row.adminContacts),
    techs: (row) => links(row.techContacts),
    nameservers: (row) => row.nameservers.join(', '),
    reference: (row) => row.reference !== null && isolated(row.reference),
  };
  return shown.map((name) => {
    const sort = SORTS[name];
    const column = sort ? sortable(sort, columns[name], asked) : { title: columns[name] };
    return { ...column, cell: cells[name] };
  });
}

const SORTS: Readonly<Partial<Record<DomainColumn, 'expire_time' | 'created_at'>>> = {
  expires: 'expire_time',
  created: 'created_at',
};

/** A heading that sorts by its column, one way and then the other. */
export function sortable(
  name: 'name' | 'expire_time' | 'created_at',
  title: string,
  asked: AskedDomains,
): Pick<ShownColumn<ListedDomain>, 'title' | 'sortHref' | 'sorted'> {
  const isAscending = asked.sort === name;
  const order: DomainSort = isAscending ? `-${name}` : name;
  return {
    title,
    sortHref: consoleAddress('/domains', askedParameters({ ...asked, sort: order })),
    sorted: isAscending ? 'ascending' : asked.sort === `-${name}` ? 'descending' : undefined,
  };
}

const links = (codes: readonly string[]): HtmlValue =>
  codes.length > 0 &&
  html`${codes.map((code, index) => html`${index > 0 && ', '}<a href="${contactAddress(code)}">${isolated(code)}</a>`)}`;

export const contactAddress = (code: string): string =>
  consoleAddress(`/contacts/${encodeURIComponent(code)}`);
