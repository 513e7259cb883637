import type { BoundedCount } from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import { writePosition } from '../../platform/paging/position.ts';
import { type FilterField, filterForm } from '../html/filter-form.ts';
import { faultSummary } from '../html/form.ts';
import { type Html, html, type Language } from '../html/layout.ts';
import { pager } from '../html/pager.ts';
import { listTexts } from './list-texts.ts';
import { consoleAddress } from './console-page.ts';

export const PAGE_SIZE = 50;

type ListView = {
  readonly lang: Language;
  readonly title: string;
  /** What can be begun here, beside the title. */
  readonly actions?: Html | undefined;
  /** Between the title and the list. */
  readonly above?: Html | undefined;
  /** Views that the person has saved. */
  readonly views?: Html | undefined;
  readonly path: string;
  /** Of the file of all of it, where there is one. */
  readonly filePath?: string;
  /** The filters that were asked for. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly filterLabel: string;
  readonly fields: readonly FilterField[];
  /** Undefined if a filter is wrong. */
  readonly found:
    | {
        readonly isFirst: boolean;
        readonly total: BoundedCount | undefined;
        readonly next: Position | undefined;
        readonly isCut: boolean;
        /** Undefined if nothing was found. */
        readonly rows: Html | undefined;
        readonly none: string;
        /** The choice of columns, where there is one. */
        readonly columns?: Html | undefined;
        /** What can be done with all of the list. */
        readonly actions?: Html | undefined;
      }
    | undefined;
};

/** A list with its filters, its number, its file and its pages. */
export function listView({ lang, title, path, filePath, parameters, ...list }: ListView): Html {
  const texts = listTexts(lang);
  const { found, fields } = list;
  const address = (given: Readonly<Record<string, string>>) => consoleAddress(path, given);
  const form = filterForm({ lang, label: list.filterLabel, fields, parameters, address, texts });
  return html`<div class="head"><h1>${title}</h1>${list.actions}</div>
${list.above}${list.views}${faultSummary(texts.wrong, fields)}${form}${
  found &&
  html`<div class="found"><p class="found-count" role="status">${found.total && texts.count(found.total)}</p>${found.rows && found.actions}${
    found.rows &&
    filePath !== undefined &&
    html`<p><a href="${consoleAddress(filePath, parameters)}">${texts.download}</a></p>`
  }${found.rows && found.columns}</div>
${found.rows ?? (found.isCut ? undefined : html`<p>${found.none}</p>\n`)}${found.isCut && html`<p class="quiet">${texts.cut}</p>\n`}${pager(
  {
    label: texts.pages,
    start: found.isFirst ? undefined : { text: texts.toStart, href: address(parameters) },
    next: found.next && {
      text: found.isCut ? texts.goOn : texts.next,
      href: address({ ...parameters, after: writePosition(found.next) }),
    },
  },
)}`
}`;
}
