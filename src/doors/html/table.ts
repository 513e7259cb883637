import { type Html, type HtmlValue, html } from './layout.ts';

export type Column = {
  readonly title: string;
  readonly number?: boolean;
  /** Leads to the same list in the order of this column. */
  readonly sortHref?: string;
  /** How the list is sorted, where it is by this column. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
};

type Form = {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** A class that sets the column widths. */
  readonly kind?: string;
};

const ARROWS = { ascending: ' ↑', descending: ' ↓' } as const;

/** A table that narrow screens show as one block per row; the ARIA roles preserve its table semantics. */
export function table({ label, columns, kind }: Form, rows: readonly (readonly HtmlValue[])[]): Html {
  const titles = columns.map(
    ({ title, number, sortHref, sorted }) =>
      html`<th role="columnheader" scope="col"${className(number && 'number')}${sorted && html` aria-sort="${sorted}"`}>${
        sortHref === undefined ? title : html`<a href="${sortHref}">${title}${sorted && ARROWS[sorted]}</a>`
      }</th>`,
  );
  return html`<table role="table" aria-label="${label}"${className(kind)}>
<thead role="rowgroup"><tr role="row">${titles}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => row(columns, cells))}</tbody>
</table>
`;
}

function row(columns: readonly Column[], cells: readonly HtmlValue[]): Html {
  const shown = columns.map(({ title, number }, place) => {
    const cell = cells[place];
    // One element for the value: the narrow form is a grid of label and value.
    const value = cell === '' || cell === undefined || cell === false ? '' : html`<div>${cell}</div>`;
    return html`<td role="cell" data-label="${title}"${className(number && 'number')}>${value}</td>`;
  });
  return html`<tr role="row">${shown}</tr>\n`;
}

function className(name: string | false | undefined): Html | undefined {
  return name ? html` class="${name}"` : undefined;
}
