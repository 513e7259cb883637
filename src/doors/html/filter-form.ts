import { hiddenField } from './form.ts';
import { dayIn, isolated } from './language.ts';
import { type Html, html, type Language } from './layout.ts';

export type FilterField = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly type?: 'text' | 'date' | 'search' | undefined;
  /** Value and text of each choice; the field is a list of them then. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** In sight at once; the others are offered by "Add filter". */
  readonly isMain?: boolean;
  /** Chooses the order, and leaves nothing out. */
  readonly isOrder?: boolean;
};

export type FilterTexts = {
  readonly search: string;
  readonly addFilter: string;
  readonly active: string;
  readonly removeFilter: string;
  readonly clear: string;
  /** How every text is compared. */
  readonly rule: string;
};

type FilterForm = {
  readonly lang: Language;
  /** The accessible name of the form. */
  readonly label: string;
  readonly fields: readonly FilterField[];
  /** What was asked for. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly address: (parameters: Readonly<Record<string, string>>) => string;
  readonly texts: FilterTexts;
};

/**
 * Filters of a list, by GET: the address of the answer can be kept and given to others. Each active one is a link that
 * drops it, and is kept by the form that adds another.
 */
export function filterForm({ lang, label, fields, parameters, address, texts }: FilterForm): Html {
  const active = fields.filter((each) => isActive(each, parameters));
  const inSight = fields.filter(({ isMain = false }) => isMain);
  const others = fields.filter((each) => !inSight.includes(each));
  const offered = others.filter((each) => !active.includes(each));
  const shown = (each: FilterField) => filterField(each, texts);
  const button = html`<button class="act second">${texts.search}</button>`;
  return html`<form class="filter" role="search" aria-label="${label}" method="get" action="${address({})}">
<div class="filters">${inSight.map(shown)}${inSight.length > 0 && button}</div>
${others.filter((each) => active.includes(each)).map(({ name, value }) => hiddenField(name, value))}<div class="chosen">${
    active.length > 0 &&
    html`<ul class="chips" aria-label="${texts.active}">${active.map(
      (each) => html`<li>${chip(each, address(without(parameters, [each.name])), lang, texts)}</li>`,
    )}</ul>`
  }${
    offered.length > 0 &&
    html`<details class="add"${offered.some(({ fault }) => fault !== undefined) && html` open`}><summary>${texts.addFilter}</summary>
<div class="filters">${offered.map(shown)}${button}</div></details>`
  }${
    active.length > 1 &&
    html`<a class="clear" href="${address(
      without(
        parameters,
        active.map(({ name }) => name),
      ),
    )}">${texts.clear}</a>`
  }</div>
</form>
`;
}

const isActive = (
  { name, fault, isOrder = false }: FilterField,
  parameters: Readonly<Record<string, string>>,
): boolean => name in parameters && fault === undefined && !isOrder;

const without = (
  parameters: Readonly<Record<string, string>>,
  dropped: readonly string[],
): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !dropped.includes(name)));

function chip(field: FilterField, href: string, lang: Language, texts: FilterTexts): Html {
  const { label, value, type, choices } = field;
  const chosen = choices?.find(([choice]) => choice === value)?.[1];
  const words = chosen ?? (type === 'date' ? dayIn(lang, value) : value);
  return html`<a class="chip" href="${href}" title="${texts.removeFilter}"><span class="hidden">${texts.removeFilter}: </span>${label}: ${isolated(words)} <span aria-hidden="true">×</span></a>`;
}

function filterField(
  { name, label, value, hint, fault, type = 'text', choices }: FilterField,
  { rule }: FilterTexts,
): Html {
  const hints = choices || type === 'date' ? [hint] : [hint, rule];
  const described = hints.filter((each) => each !== undefined).join(' ');
  const ids = [described !== '' && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(
    (id) => id !== false,
  );
  const attributes = html`id="${name}" name="${name}"${
    ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`
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
${described !== '' && html`<p class="hint" id="${name}-hint">${described}</p>\n`}</div>
`;
}
