import { type Html, html } from './layout.ts';

type Choice = {
  readonly value: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isChosen: boolean;
};

type Choices = {
  /** Each box is a field of its own, `name-value`: a field that is sent several times is ambiguous. */
  readonly name: string;
  readonly label: string;
  readonly fault?: string | undefined;
  readonly choices: readonly Choice[];
};

/** A group of boxes of which any number can be ticked. */
export function checkboxes({ name, label, fault, choices }: Choices): Html {
  return html`<fieldset class="field choices${fault !== undefined && ' wrong'}" id="${name}"${fault !== undefined && html` aria-describedby="${name}-fault"`}>
<legend>${label}</legend>
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>\n`}${choices.map(
  ({ value, label: text, hint, isChosen }) =>
    html`<label><input type="checkbox" name="${name}-${value}" value="yes"${isChosen && html` checked`}> <span>${text}${hint !== undefined && html` <span class="hint">${hint}</span>`}</span></label>\n`,
)}</fieldset>
`;
}

type SelectField = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
};

/** One of several, in a form that changes something. */
export const selectField = ({ name, label, value, choices }: SelectField): Html => html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">${choices.map(
  ([choice, text]) => html`<option value="${choice}"${choice === value && html` selected`}>${text}</option>`,
)}</select>
</div>
`;
