import { type Html, html } from './layout.ts';

export type Field = {
  /** Also the id of the control, to which the list of faults links. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with the value that was sent. */
  readonly fault?: string | undefined;
  readonly value?: string | undefined;
  /** A checkbox is sent as `yes`, or not at all. */
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'tel' | 'checkbox';
  /** Sent along, and not shown. */
  readonly isHidden?: boolean;
  /** May be left empty; every other field is required. */
  readonly isOptional?: boolean;
  /** Value and text of each choice; the field is a list of them then. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** Purpose of the field for browsers and assistive programs (WCAG 1.3.5). */
  readonly autocomplete?: string;
  readonly maxLength?: number;
  /** Lines of a field for longer text. */
  readonly lines?: number;
};

/** Fields that belong together, with what they have in common. */
export type FieldGroup = {
  readonly legend: string;
  readonly hint?: string;
  /** What stands above its fields, such as buttons that fill them in. */
  readonly top?: Html | undefined;
  readonly fields: readonly Field[];
  /** Groups within it, below its fields. */
  readonly groups?: readonly FieldGroup[];
  /** It is a disclosure, open if something was filled in; what is wrong in it opens it, too. */
  readonly folded?: { readonly isOpen: boolean };
};

/** All fields of an item of a form. */
export const fieldsIn = (item: Field | FieldGroup): readonly Field[] =>
  'legend' in item ? [...item.fields, ...(item.groups ?? []).flatMap(fieldsIn)] : [item];

/** The item with each of its fields changed. */
export function withFields(item: Field | FieldGroup, change: (each: Field) => Field): Field | FieldGroup {
  return 'legend' in item ? groupWith(item, change) : change(item);
}

const groupWith = (group: FieldGroup, change: (each: Field) => Field): FieldGroup => ({
  ...group,
  fields: group.fields.map(change),
  ...(group.groups && { groups: group.groups.map((each) => groupWith(each, change)) }),
});

export const fieldGroup = (group: FieldGroup): Html => {
  const { legend, hint, top, fields, groups = [], folded } = group;
  const content = html`${hint !== undefined && html`<p class="hint">${hint}</p>\n`}${top}${fields.map(field)}${groups.map(fieldGroup)}`;
  if (!folded) return html`<fieldset>\n<legend>${legend}</legend>\n${content}</fieldset>\n`;
  const isOpen = folded.isOpen || fieldsIn(group).some(({ fault }) => fault !== undefined);
  return html`<details class="group"${isOpen && html` open`}><summary>${legend}</summary>\n${content}</details>\n`;
};

/** A control with its label, its hint and what is wrong with it. */
export function field({ name, label, hint, fault, ...control }: Field): Html {
  if (control.isHidden) return hiddenField(name, control.value ?? '');
  const described = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(
    Boolean,
  );
  const isRequired = !control.isOptional && control.type !== 'checkbox';
  const attributes = html`id="${name}" name="${name}"${isRequired && html` required`}${control.maxLength !== undefined && html` maxlength="${control.maxLength}"`}${
    control.autocomplete !== undefined && html` autocomplete="${control.autocomplete}"`
  }${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${fault !== undefined && html` aria-invalid="true"`}`;
  const said = html`${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>\n`}${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>\n`}`;
  if (control.type === 'checkbox')
    return html`<div class="field check${fault !== undefined && ' wrong'}">
<label for="${name}"><input type="checkbox" ${attributes} value="${CHECKED}"${control.value === CHECKED && html` checked`}> ${label}</label>
${said}</div>
`;
  return html`<div class="field${fault !== undefined && ' wrong'}">
<label for="${name}">${label}</label>
${said}${controlOf(control, attributes)}
</div>
`;
}

/** What a checkbox that is checked sends. */
export const CHECKED = 'yes';

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">\n`;

function controlOf(
  { choices, lines, type = 'text', value = '' }: Omit<Field, 'name' | 'label'>,
  attributes: Html,
): Html {
  if (choices)
    return html`<select ${attributes}>${choices.map(
      ([choice, text]) =>
        html`<option value="${choice}"${choice === value && html` selected`}>${text}</option>`,
    )}</select>`;
  return lines === undefined
    ? html`<input type="${type}" ${attributes} value="${value}">`
    : html`<textarea rows="${lines}" ${attributes}>\n${value}</textarea>`;
}

/** All faults of a form, each a link to its field. */
export function faultSummary(heading: string, fields: readonly Pick<Field, 'name' | 'fault'>[]): Html {
  const faults = fields.flatMap(({ name, fault }) => (fault === undefined ? [] : [{ name, fault }]));
  if (faults.length === 0) return html``;
  return html`<div class="outcome failed" role="alert"><p>${heading}</p>
<ul>${faults.map(({ name, fault }) => html`<li><a href="#${name}">${fault}</a></li>`)}</ul></div>
`;
}

/** One field with its button beside it, which asks by GET; `hidden` are further parameters. */
export function searchForm({
  action,
  button,
  hidden,
  ...search
}: Field & {
  readonly action: string;
  readonly button: string;
  readonly hidden: Readonly<Record<string, string>>;
}): Html {
  const { name, label, hint, value = '', maxLength } = search;
  return html`<form class="search" role="search" method="get" action="${action}">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>\n`}<div class="asks">
<input type="search" id="${name}" name="${name}" value="${value}"${hint !== undefined && html` aria-describedby="${name}-hint"`}${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  } autocomplete="off" autocapitalize="none" spellcheck="false">
<button>${button}</button>
</div>
${Object.entries(hidden).map(([key, text]) => hiddenField(key, text))}</form>
`;
}
