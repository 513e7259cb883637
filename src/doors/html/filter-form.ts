import { type Html, html } from './layout.ts';

export type FilterField = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly type?: 'text' | 'date' | 'search' | undefined;
  /** Value and text of each choice; the field is a list of them then. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
};

type FilterForm = {
  /** The accessible name of the form. */
  readonly label: string;
  readonly action: string;
  readonly fields: readonly FilterField[];
  readonly button: string;
  /** What opens the filters on a telephone. */
  readonly summary: string;
  /** The text of the link that leads to the whole list; left out where nothing is filtered. */
  readonly clear: string | undefined;
};

/** Filters of a list, by GET: the address of the answer can be kept and given to others. */
export function filterForm({ label, action, fields, button, summary, clear }: FilterForm): Html {
  const isWrong = fields.some(({ fault }) => fault !== undefined);
  return html`<details class="filter"${(isWrong || clear !== undefined) && html` open`}><summary>${summary}</summary>
<form role="search" aria-label="${label}" method="get" action="${action}">
<div class="filters">${fields.map(filterField)}</div>
<div class="asks"><button>${button}</button>${clear !== undefined && html`<a class="clear" href="${action}">${clear}</a>`}</div>
</form>
</details>
`;
}

function filterField({ name, label, value, hint, fault, type = 'text', choices }: FilterField): Html {
  const described = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(
    (id) => id !== false,
  );
  const attributes = html`id="${name}" name="${name}"${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${fault !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field${fault !== undefined && ' wrong'}">
<label for="${name}">${label}</label>
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>\n`}${
  choices
    ? html`<select ${attributes}>${choices.map(
        ([choice, text]) =>
          html`<option value="${choice}"${choice === value && html` selected`}>${text}</option>`,
      )}</select>`
    : html`<input type="${type}" ${attributes} value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false">`
}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>\n`}</div>
`;
}
