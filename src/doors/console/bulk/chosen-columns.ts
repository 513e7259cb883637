import type { Parsed } from '../../../operations/refusal.ts';
import { hiddenField, field } from '../../html/form.ts';
import { type Html, html } from '../../html/layout.ts';
import type { FormInput, Visit } from '../console-page.ts';
import { refusal } from '../form-refusals.ts';
import type { BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import type { BulkTask } from './bulk-task.ts';
import { bulkTexts } from './bulk-texts.ts';
import { type ListColumns, MAX_COLUMNS } from './list-columns.ts';
import { type Columns, type ListedDomain, listText } from './name-list.ts';

const NAME_COLUMN = 'nameColumn';
const CONTENT_COLUMN = 'codeColumn';
const COLUMN = /^[1-9]\d?$/;

/** The step that reads the list by other columns; what is confirmed is read by those of the preview. */
export const RECHOOSE = 'columns';
const [OTHER_NAME_COLUMN, OTHER_CONTENT_COLUMN] = ['otherNameColumn', 'otherCodeColumn'];
/** Of a form without a list of the person's: all domains, which the preview has written into it. */
const READING = 'reading';
const AS_LISTED = 'listed';

/** The form as if the other columns had been chosen from the beginning. */
export function withOtherColumns(form: FormInput): FormInput {
  const others: Readonly<Record<string, string>> = {
    [NAME_COLUMN]: form.field(OTHER_NAME_COLUMN),
    [CONTENT_COLUMN]: form.field(OTHER_CONTENT_COLUMN),
  };
  return { ...form, field: (name) => others[name] ?? form.field(name) };
}

/** The list of a preview for the steps after it: as the person has written it, so that it is read, mended and shown again. */
export function listFields(
  form: Pick<FormInput, 'field'>,
  listed: readonly ListedDomain[],
  columns: ListColumns | undefined,
): Html {
  const isWritten = form.field('names').trim() === '' || form.field(READING) === AS_LISTED;
  return isWritten
    ? html`${hiddenField('names', listText(listed))}${hiddenField(READING, AS_LISTED)}`
    : html`${hiddenField('names', form.field('names'))}${columns?.isExact && columnFields(columns)}`;
}

/** How the list of a form is read. */
export function chosenColumns(form: Pick<FormInput, 'field'>): Parsed<Columns> {
  if (form.field(READING) === AS_LISTED) return { value: 'as listed' };
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
const columnFields = ({ name, content }: ListColumns): Html =>
  html`${hiddenField(NAME_COLUMN, String(name + 1))}${hiddenField(CONTENT_COLUMN, content === undefined ? '' : String(content + 1))}`;

/** Which columns of a table were read, with a choice of others. */
export function columnsView<Kind extends BulkKind>(
  { lineHas }: Pick<BulkTask<Kind>, 'lineHas'>,
  { name, content, headings = [], width }: ListColumns,
  visit: Visit,
): Html {
  const texts = bulkTexts(visit.lang).columnsRead;
  const what = lineHas && texts[lineHas];
  const headed = (column: number) => `${column + 1}${headings[column] ? `, ${headings[column]}` : ''}`;
  const choices = Array.from(
    { length: Math.max(width, name + 1, (content ?? 0) + 1) },
    (_, column) => [String(column + 1), headed(column)] as const,
  );
  const read = texts.read(headed(name), content !== undefined && what?.from(headed(content)));
  const nameField = { name: OTHER_NAME_COLUMN, label: texts.names, value: String(name + 1), choices };
  const contentField = what && {
    name: OTHER_CONTENT_COLUMN,
    label: what.label,
    value: content === undefined ? '' : String(content + 1),
    choices: [['', texts.none] as const, ...choices],
    isOptional: true,
  };
  return html`<div class="filter"><p>${read}</p>
<div class="filters">${field(nameField)}${contentField && field(contentField)}<button class="act second" name="step" value="${RECHOOSE}">${texts.again}</button></div>
</div>
`;
}
