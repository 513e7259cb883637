import { inListTurn } from '../../../registry/list-turns.ts';
import { findMessages, readMessageRecord } from '../../../registry/poll/find-messages.ts';
import { html } from '../../html/layout.ts';
import { consoleAddress, definePage } from '../console-page.ts';
import { PAGE_SIZE } from '../list-view.ts';
import { inboxList } from './inbox-list.ts';
import { messageArticle } from './message-article.ts';
import { messageParameters, readMessageQuery } from './message-query.ts';
import { messageScope } from './message-scope.ts';
import { messageTexts } from './message-texts.ts';

/** One message, beside the list that it was opened from where there is room. */
export const messagePage = definePage({
  path: '/messages/:id',
  right: 'read',
  load: async ({ database, policy }, visit, { params, query: text }) => {
    const id = readMessageId(params.id ?? '');
    const scope = messageScope(visit);
    const message = id === undefined ? undefined : await readMessageRecord(database.reads, id, scope);
    if (!message) return undefined;
    const { asked, query } = readMessageQuery(text, policy);
    const lists = { ...database, replicaLists: database.lists };
    const found =
      query && (await inListTurn(lists, visit.principal, (db) => findMessages(db, query, PAGE_SIZE, scope)));
    return { message, rows: found?.rows ?? [], parameters: messageParameters(asked) };
  },
  view: ({ message, rows, parameters }, visit, parts) => {
    const texts = messageTexts(visit.lang);
    const title = texts.types[message.type];
    const body = html`<div class="head"><h1>${texts.title}</h1><p><a href="${consoleAddress('/messages', parameters)}">${texts.back}</a></p></div>
<div class="inbox one"><section aria-label="${texts.title}">${inboxList({ rows, parameters, open: message.id }, visit, parts.policy)}</section>
<article class="card">${messageArticle(message, parameters, visit, parts)}</article></div>
`;
    return { title, body };
  },
});

/** Undefined for what is none. */
export const readMessageId = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined;
