import { inListTurn } from '../../../registry/list-turns.ts';
import { findMessages, readMessageRecord } from '../../../registry/poll/find-messages.ts';
import { messageTypes } from '../../../registry/poll/send-messages.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { html } from '../../html/layout.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { definePage, type Visit } from '../console-page.ts';
import { loadViews, type Viewed, viewsBar } from '../views/views-bar.ts';
import { inboxList } from './inbox-list.ts';
import { messageArticle } from './message-article.ts';
import { messageParameters, type ReadMessageQuery, readMessageQuery } from './message-query.ts';
import { messageScope } from './message-scope.ts';
import { messageTexts } from './message-texts.ts';

export const messageViews: Viewed = {
  list: 'messages',
  path: '/messages',
  parameters: ({ query: text }, _visit, policy) => {
    const { query, asked } = readMessageQuery(text, policy);
    return query && messageParameters(asked);
  },
};

/** The registrar's messages: the unread ones, or all. */
export const messagesPage = definePage({
  path: '/messages',
  right: 'read',
  menu: 'messages',
  load: async (parts, visit, input) => {
    const { database, policy } = parts;
    const read = readMessageQuery(input.query, policy);
    const { query } = read;
    // From the primary: what was acknowledged a moment ago is gone.
    const lists = { ...database, replicaLists: database.lists };
    const found =
      query &&
      (await inListTurn(lists, visit.principal, (db) =>
        findMessages(db, query, PAGE_SIZE, messageScope(visit)),
      ));
    // The newest is open beside the list, where there is room.
    const [first] = found?.rows ?? [];
    const open = first && (await readMessageRecord(database.reads, first.id, messageScope(visit)));
    return { ...read, found, open, views: await loadViews(messageViews, parts, visit, input) };
  },
  view: ({ found, open, views, ...read }, visit, parts, refused) => {
    const texts = messageTexts(visit.lang);
    const parameters = messageParameters(read.asked);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      views: viewsBar(messageViews, { ...views, parameters, refused }, visit, parts.policy),
      path: '/messages',
      parameters,
      filterLabel: texts.filter,
      fields: filterFields(read, visit),
      found: found && {
        ...found,
        isFirst: read.query?.after === undefined,
        rows:
          found.rows.length === 0
            ? undefined
            : html`<div class="inbox"><section aria-label="${texts.title}">${inboxList({ rows: found.rows, parameters, open: open?.id }, visit, parts.policy)}</section>
${open && html`<article class="card">${messageArticle(open, parameters, visit, parts)}</article>`}</div>
`,
        none: Object.keys(parameters).length === 0 ? texts.noneUnread : texts.none,
      },
    });
    return { title: texts.title, body, ...(!read.query && { status: 400 }) };
  },
});

function filterFields({ asked, wrong }: ReadMessageQuery, visit: Visit): FilterField[] {
  const { lang } = visit;
  const texts = messageTexts(lang);
  const fault = (name: 'type' | 'from' | 'to') => wrong.includes(name) && { fault: texts.faults[name] };
  const field = (name: keyof typeof asked) => ({ name, label: texts.fields[name], value: asked[name] });
  const { hidden } = messageScope(visit);
  const types = messageTypes
    .filter((type) => !hidden.includes(type))
    .map((type) => [type, texts.types[type]] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, lang));
  return [
    {
      ...field('show'),
      isMain: true,
      choices: [
        ['', texts.shown.unread],
        ['all', texts.shown.all],
      ],
    },
    { ...field('type'), isMain: true, ...fault('type'), choices: [['', texts.anyType], ...types] },
    { ...field('from'), ...fault('from'), type: 'date' },
    { ...field('to'), ...fault('to'), type: 'date' },
  ];
}
