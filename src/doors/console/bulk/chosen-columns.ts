import type { Parsed } from '../../../operations/refusal.ts';
import { hiddenField, field } from '../../html/form.ts';
import { type Html, html } from '../../html/layout.ts';
import type { Values } from '../form-definition.ts';
import { type FormInput, consoleAddress, type Visit } from '../console-page.ts';
import { refusal } from '../form-refusals.ts';
import type { BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import { AGAIN_OF } from './beginning-steps.ts';
import type { BulkTask } from './bulk-task.ts';
import { bulkTexts } from './bulk-texts.ts';
import { type ListColumns, MAX_COLUMNS } from './list-columns.ts';
import type { Columns } from './name-list.ts';

const NAME_COLUMN = 'nameColumn';
const CONTENT_COLUMN = 'codeColumn';
const COLUMN = /^[1-9]\d?$/;

/** How the list of a form is read: what is confirmed is the list that the preview wrote. */
export function chosenColumns(form: Pick<FormInput, 'field'>): Parsed<Columns> {
  if (form.field('step') === 'confirm') return { value: 'as listed' };
  const [name, content] = [form.field(NAME_COLUMN), form.field(CONTENT_COLUMN)];
  const isColumn = (text: string) => COLUMN.test(text) && Number(text) <= MAX_COLUMNS;
  const wrong = [
    ...(name === '' || isColumn(name) ? [] : [NAME_COLUMN]),
    ...(content === '' || (isColumn(content) && content !== name) ? [] : [CONTENT_COLUMN]),
  ];
  if (wrong.length > 0) {
    const others = `1–${MAX_COLUMNS}`;
    return {
      refusals: wrong.map((column) =>
        refusal('wrongSyntax', {
          field: column,
          expected: column === CONTENT_COLUMN && content === name ? `${others}, ≠ ${name}` : others,
        }),
      ),
    };
  }
  if (name === '') return { value: undefined };
  return { value: { name: Number(name) - 1, content: content === '' ? undefined : Number(content) - 1 } };
}

/** The columns that were read, for a form that reads the same again. */
export const columnFields = ({ name, content }: ListColumns): Html =>
  html`${hiddenField(NAME_COLUMN, String(name + 1))}${hiddenField(CONTENT_COLUMN, content === undefined ? '' : String(content + 1))}`;

/** Which columns of a table were read, with a form that reads others: the list as it was sent, not as it was read. */
export function columnsForm<Kind extends BulkKind>(
  task: BulkTask<Kind>,
  { name, content, headings = [], width }: ListColumns,
  values: Values,
  visit: Visit,
): Html {
  const texts = bulkTexts(visit.lang).columnsRead;
  const what = task.lineHas && texts[task.lineHas];
  const headed = (column: number) => `${column + 1}${headings[column] ? `, ${headings[column]}` : ''}`;
  const choices = Array.from(
    { length: Math.max(width, name + 1, (content ?? 0) + 1) },
    (_, column) => [String(column + 1), headed(column)] as const,
  );
  const read = texts.read(headed(name), content !== undefined && what?.from(headed(content)));
  const nameField = { name: NAME_COLUMN, label: texts.names, value: String(name + 1), choices };
  const contentField = what && {
    name: CONTENT_COLUMN,
    label: what.label,
    value: content === undefined ? '' : String(content + 1),
    choices: [['', texts.none] as const, ...choices],
    isOptional: true,
  };
  return html`<form method="post" action="${consoleAddress(task.path)}" class="filter">
${task.fields(values, visit).map(({ name: each }) => hiddenField(each, values(each)))}${hiddenField('names', values('names'))}${hiddenField(AGAIN_OF, values(AGAIN_OF))}<p>${read}</p>
<div class="filters">${field(nameField)}${contentField && field(contentField)}<button class="act second" name="step" value="preview">${texts.again}</button></div>
</form>
`;
}
