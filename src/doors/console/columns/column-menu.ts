import {
  type ColumnedList,
  type ColumnsOwner,
  readChosenColumns,
} from '../../../registry/people/column-choice.ts';
import type { HtmlValue } from '../../html/layout.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import type { Column } from '../../html/table.ts';
import { type ConsoleParts, consoleAddress, type Visit } from '../console-page.ts';

/** A list whose columns a person can choose; its first column, which leads to the objects, is always there. */
export type Columned<Name extends string> = {
  readonly list: ColumnedList;
  readonly path: string;
  /** All of them, in their order. */
  readonly columns: readonly Name[];
  readonly initial: readonly Name[];
  readonly titles: (lang: Language) => Readonly<Record<Name, string>>;
};

/** A column with what its cells show. */
export type ShownColumn<Row> = Column & { readonly cell: (row: Row) => HtmlValue };

export const columnsOwner = (
  { list }: Pick<Columned<string>, 'list'>,
  { session: { personId, registrarId } }: Visit,
): ColumnsOwner => ({ personId, registrarId, list });

/** Those that the person has chosen, as far as the list still has them. */
export async function loadColumns<Name extends string>(
  columned: Columned<Name>,
  { database }: Pick<ConsoleParts, 'database'>,
  visit: Visit,
): Promise<readonly Name[]> {
  const chosen = await readChosenColumns(database.reads, columnsOwner(columned, visit));
  return chosen ? columned.columns.filter((name) => chosen.includes(name)) : columned.initial;
}

export const isInitial = <Name extends string>(
  { initial }: Pick<Columned<Name>, 'initial'>,
  shown: readonly Name[],
): boolean => shown.join() === initial.join();

/** The boxes of all columns; the address of the form leads back to the same list. */
export function columnMenu<Name extends string>(
  { list, columns, titles, ...columned }: Columned<Name>,
  shown: readonly Name[],
  parameters: Readonly<Record<string, string>>,
  { lang }: Visit,
): Html {
  const texts = TEXTS[lang];
  const names = titles(lang);
  const boxes = columns.map(
    (name) =>
      html`<label class="choice"><input type="checkbox" name="column" value="${name}"${shown.includes(name) && html` checked`} autocomplete="off"> ${names[name]}</label>
`,
  );
  return html`<details class="menu choose"><summary>${texts.columns}</summary><form class="drop" method="post" action="${consoleAddress(`/columns/${list}`, parameters)}">
<fieldset><legend class="hidden">${texts.legend}</legend>${boxes}</fieldset>
<p><button>${texts.show}</button>${!isInitial(columned, shown) && html` <button class="plain" name="initial" value="yes">${texts.initial}</button>`}</p></form></details>`;
}

type MenuTexts = {
  readonly columns: string;
  readonly legend: string;
  readonly show: string;
  readonly initial: string;
};

const TEXTS: Readonly<Record<Language, MenuTexts>> = {
  en: {
    columns: 'Columns',
    legend: 'Columns of the list',
    show: 'Show these columns',
    initial: 'Usual columns',
  },
  et: {
    columns: 'Veerud',
    legend: 'Loendi veerud',
    show: 'Näita neid veerge',
    initial: 'Tavalised veerud',
  },
};
