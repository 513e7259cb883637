import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { fieldsOf, limitsOf, typeOf } from './fields.ts';
import { prose } from './json.ts';
import type { Api, Json, Parameter } from './model.ts';

type Resolve = Api['resolve'];

export function parameterTable(parameters: readonly Parameter[], resolve: Resolve): Html {
  const columns = [{ title: 'Name' }, { title: 'In' }, { title: 'Type' }, { title: 'Meaning' }];
  return table(
    { label: 'Parameters', kind: 'parameters', columns },
    parameters.map(({ name, place, required, description, schema }) => [
      html`<code>${name}</code>${required && REQUIRED}`,
      place,
      typeOf(schema, resolve),
      meaning(description, limitsOf(schema, resolve)),
    ]),
  );
}

/** Requests mark the required fields, answers the optional ones. */
export function fieldTable(of: 'body' | 'answer', schema: Json, resolve: Resolve): Html {
  const columns = [{ title: 'Field' }, { title: 'Type' }, { title: 'Meaning' }];
  const rows = fieldsOf(schema, resolve).map(({ path, required, type, description, limits }) => [
    html`${fieldName(path)}${of === 'body' ? required && REQUIRED : !required && OPTIONAL}`,
    type,
    meaning(description, limits),
  ]);
  return table({ label: `Fields of the ${of}`, kind: 'members', columns }, rows);
}

const REQUIRED = html` <span class="required">required</span>`;
const OPTIONAL = html` <span class="optional">not always</span>`;

/** The parent path is less prominent than the field's own name, and wraps after a dot. */
function fieldName(path: string): Html {
  const steps = path.split(/(?<=\.)/);
  const own = steps.pop();
  return html`<code>${steps.map((step) => html`<span class="parent">${step}</span><wbr>`)}${own}</code>`;
}

function meaning(description: string, limits: string): Html | '' {
  if (description === '' && limits === '') return '';
  return html`${prose(description)}${limits && html`<span class="limits">${prose(limits)}</span>`}`;
}
