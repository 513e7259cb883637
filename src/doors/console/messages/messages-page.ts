import { inListTurn } from '../../../registry/list-turns.ts';
import { type FoundMessage, findMessages } from '../../../registry/poll/find-messages.ts';
import { messageTypes } from '../../../registry/poll/send-messages.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { hiddenField } from '../../html/form.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { messageParameters, type ReadMessageQuery, readMessageQuery } from './message-query.ts';
import { messageScope } from './message-scope.ts';
import { messageTexts } from './message-texts.ts';

/** The registrar's messages: the unread ones, or all. */
export const messagesPage = definePage({
  path: '/messages',
  right: 'read',
  menu: 'messages',
  load: async ({ database, policy }, visit, input) => {
    const read = readMessageQuery(input.query, policy);
    const { query } = read;
    // From the primary: what was acknowledged a moment ago is gone.
    const lists = { ...database, replicaLists: database.lists };
    const found =
      query &&
      (await inListTurn(lists, visit.principal, (db) =>
        findMessages(db, query, PAGE_SIZE, messageScope(visit)),
      ));
    return { ...read, found };
  },
  view: ({ found, ...read }, visit, parts) => {
    const texts = messageTexts(visit.lang);
    const parameters = messageParameters(read.asked);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      path: '/messages',
      parameters,
      filterLabel: texts.filter,
      fields: filterFields(read, visit),
      found: found && {
        ...found,
        isFirst: read.query?.after === undefined,
        rows: found.rows.length === 0 ? undefined : messageForm(found.rows, parameters, visit, parts),
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
      choices: [
        ['', texts.shown.unread],
        ['all', texts.shown.all],
      ],
    },
    { ...field('type'), ...fault('type'), choices: [['', texts.anyType], ...types] },
    { ...field('from'), ...fault('from'), type: 'date' },
    { ...field('to'), ...fault('to'), type: 'date' },
  ];
}

/** The rows, with boxes for those who may acknowledge them. */
function messageForm(
  rows: readonly FoundMessage[],
  parameters: Readonly<Record<string, string>>,
  visit: Visit,
  { policy }: ConsoleParts,
): Html {
  const texts = messageTexts(visit.lang);
  const isOpen = visit.may('objects') && rows.some(({ readAt }) => readAt === null);
  const { message, type, at, read } = texts.columns;
  const shown = table(
    { label: texts.title, columns: [message, type, at, read].map((title) => ({ title })) },
    rows.map((row) => {
      const link = html`<a href="${messageAddress(row.id)}" lang="en">${row.text}</a>`;
      return [
        isOpen && row.readAt === null
          ? html`<span class="choice"><input type="checkbox" name="message" value="${row.id}" aria-label="${texts.choose(row.text)}">${link}</span>`
          : link,
        texts.types[row.type],
        momentIn(visit.lang, row.createdAt, policy),
        row.readAt === null ? texts.unread : momentIn(visit.lang, row.readAt, policy),
      ];
    }),
  );
  if (!isOpen) return shown;
  return html`<form method="post" action="${consoleAddress('/messages/acknowledge')}">
${Object.entries(parameters).map(([name, value]) => hiddenField(name, value))}${shown}<p class="asks"><button>${texts.acknowledgeChosen}</button></p>
</form>
`;
}

export const messageAddress = (id: number): string => consoleAddress(`/messages/${id}`);
