import { textOfDay } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import {
  hasDays,
  MAX_VIEW_NAME,
  type SavedView,
  type ViewedList,
  withFixedDays,
} from '../../../registry/people/saved-view.ts';
import { listSavedViews } from '../../../registry/people/saved-views.ts';
import { CHECKED, field, hiddenField } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import {
  type ConsoleParts,
  consoleAddress,
  type PageInput,
  type RefusedForm,
  type Visit,
} from '../console-page.ts';
import { viewTexts } from './view-texts.ts';

type Parameters = Readonly<Record<string, string>>;

/** A list whose filters and order can be kept. */
export type Viewed = {
  readonly list: ViewedList;
  readonly path: string;
  /** What leads to the list of an address again; undefined where a filter of it says nothing. */
  readonly parameters: (
    input: Pick<PageInput, 'query'>,
    visit: Visit,
    policy: Policy,
  ) => Parameters | undefined;
};

export type LoadedViews = {
  readonly views: readonly SavedView[];
  /** The one that the address names, whose filters cannot be read any more. */
  readonly opened: string;
};

export const ownerOf = ({ list }: Pick<Viewed, 'list'>, { session: { personId, registrarId } }: Visit) =>
  ({ personId, registrarId, list }) as const;

export const loadViews = async (
  viewed: Viewed,
  { database }: Pick<ConsoleParts, 'database'>,
  visit: Visit,
  { query }: Pick<PageInput, 'query'>,
): Promise<LoadedViews> => ({
  views: await listSavedViews(database.reads, ownerOf(viewed, visit)),
  opened: query('view'),
});

/** What a view leads to today; undefined where its filters cannot be read any more. */
export function readView(
  viewed: Viewed,
  { query }: Pick<SavedView, 'query'>,
  visit: Visit,
  policy: Policy,
): Parameters | undefined {
  const today = textOfDay(policy.timeZone, visit.now);
  const kept = withFixedDays(Object.fromEntries(new URLSearchParams(query)), today);
  const read = viewed.parameters({ query: (name) => kept[name] ?? '' }, visit, policy);
  return read && isSame(read, kept) ? read : undefined;
}

const isSame = (some: Parameters, other: Parameters): boolean =>
  Object.keys(some).length === Object.keys(other).length &&
  Object.entries(some).every(([name, text]) => other[name] === text);

type Bar = LoadedViews & {
  /** Of the list that is shown. */
  readonly parameters: Parameters;
  readonly refused: RefusedForm;
};

/** The views of a person as tabs above the list, and what can be done with the one that is shown. */
export function viewsBar(viewed: Viewed, bar: Bar, visit: Visit, policy: Policy): Html | undefined {
  const { views, opened, parameters, refused } = bar;
  const isWhole = Object.keys(parameters).length === 0;
  if (views.length === 0 && isWhole) return undefined;
  const texts = viewTexts(visit.lang);
  const tabs = views.map((view) => {
    const read = readView(viewed, view, visit, policy);
    const id = String(view.id);
    return {
      ...view,
      href: consoleAddress(viewed.path, read ?? { view: id, notice: 'viewOutdated' }),
      isShown: read ? isSame(read, parameters) : isWhole && id === opened,
    };
  });
  const shown = tabs.find(({ isShown }) => isShown);
  const tab = (href: string, text: Html | string, isShown: boolean) =>
    html`<li><a href="${href}"${isShown && html` aria-current="true"`}>${text}</a></li>\n`;
  return html`<div class="views"><nav aria-label="${texts.label}"><ul>
${tab(consoleAddress(viewed.path), texts.all, isWhole && !shown)}${tabs.map(({ href, name, isShown }) => tab(href, isolated(name), isShown))}</ul></nav>
${shown ? editForms(viewed, shown, bar, visit) : !isWhole && saveForm(viewed, { parameters, refused }, visit, policy)}</div>
`;
}

const nameField = (label: string, refused: RefusedForm, initial = ''): Html =>
  field({
    name: 'view_name',
    label,
    value: refused.value('view_name', initial),
    fault: refused.fault('view_name'),
    maxLength: MAX_VIEW_NAME,
    autocomplete: 'off',
  });

function saveForm(
  { list }: Viewed,
  { parameters, refused }: Pick<Bar, 'parameters' | 'refused'>,
  visit: Visit,
  policy: Policy,
): Html {
  const texts = viewTexts(visit.lang);
  const today = textOfDay(policy.timeZone, visit.now);
  const moving = hasDays(parameters) && {
    name: 'moving',
    type: 'checkbox' as const,
    label: texts.moving,
    hint: texts.movingHint,
    value: refused.value('moving', Object.values(parameters).includes(today) ? CHECKED : ''),
  };
  const isOpen = refused.fault('view_name') !== undefined;
  return html`<details class="menu"${isOpen && html` open`}><summary>${texts.save}</summary><form class="drop" method="post" action="${consoleAddress(`/views/${list}/save`, parameters)}">
${nameField(texts.name, refused)}${moving && field(moving)}<p><button>${texts.saveButton}</button></p></form></details>`;
}

function editForms(
  { list }: Viewed,
  { id, name }: SavedView,
  { parameters, refused }: Pick<Bar, 'parameters' | 'refused'>,
  visit: Visit,
): Html {
  const texts = viewTexts(visit.lang);
  const isOpen = refused.fault('view_name') !== undefined;
  const view = hiddenField('view', String(id));
  const to = (change: string) => consoleAddress(`/views/${list}/${change}`, parameters);
  return html`<details class="menu"${isOpen && html` open`}><summary>${texts.edit}</summary><div class="drop">
<form method="post" action="${to('rename')}">${view}${nameField(texts.name, refused, name)}<p><button>${texts.rename}</button></p></form>
<form method="post" action="${to('remove')}">${view}<button class="plain">${texts.remove}</button></form></div></details>`;
}
