import { writePosition } from '../../../platform/paging/position.ts';
import type { Policy } from '../../../policy/policy.ts';
import type {
  Timeline,
  TimelineChange,
  TimelineEvent,
  TimelineMail,
  TimelineMessage,
} from '../../../registry/history/timeline.ts';
import { amountIn } from '../../html/amount-in.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { pager } from '../../html/pager.ts';
import { table } from '../../html/table.ts';
import { consoleAddress, maySeePrices, type Visit } from '../console-page.ts';
import { messageAddress } from '../messages/inbox-list.ts';
import { messageWords } from '../messages/message-words.ts';
import { actorName } from './actor-name.ts';
import { changedFields } from './changed-fields.ts';
import { operationText, statusOf } from './operation-words.ts';
import { timelineTexts } from './timeline-texts.ts';

type Shown = Timeline & {
  readonly kind: 'domain' | 'contact';
  /** Of the object. */
  readonly path: string;
  readonly isFirst: boolean;
};

/** Everything that happened to an object, newest first; what one change causes stands with it. */
export function timelineView(shown: Shown, visit: Visit, policy: Policy): Html {
  const { events, next, path, isFirst } = shown;
  const texts = timelineTexts(visit.lang);
  const [when, what, who, charged] = texts.columns;
  const columns = [{ title: when }, { title: what }, { title: who }];
  const rows = events.map((event) => [
    momentIn(visit.lang, event.at, policy),
    whatOf(event, shown, visit, policy),
    event.change && authorOf(event.change, visit),
    ...(maySeePrices(visit) ? [chargeOf(event, visit, policy)] : []),
  ]);
  return html`<h2 id="timeline">${texts.heading}</h2>
${rows.length === 0 ? html`<p>${texts.none}</p>\n` : table({ label: texts.heading, columns: maySeePrices(visit) ? [...columns, { title: charged, number: true }] : columns }, rows)}${pager(
  {
    label: texts.pages,
    start: isFirst ? undefined : { text: texts.newest, href: consoleAddress(path) },
    next: next && { text: texts.older, href: consoleAddress(path, { after: writePosition(next) }) },
  },
)}`;
}

const chargeOf = ({ change }: TimelineEvent, { lang }: Visit, { currency }: Policy): string | false =>
  change !== undefined && change.charged !== null && amountIn(lang, change.charged, currency);

const authorOf = ({ actor, author }: TimelineChange, { lang }: Visit): Html =>
  actor === null ? html`${timelineTexts(lang).authors[author ?? 'registry']}` : isolated(actorName(actor));

function whatOf(
  { change, messages, mails }: TimelineEvent,
  { kind, contactNames }: Shown,
  visit: Visit,
  policy: Policy,
): Html {
  const sent = [
    ...messages.map((message) => messageText(message, visit, policy)),
    ...mails.map((mail) => mailText(mail, visit)),
  ];
  if (!change) {
    const [first, ...others] = sent;
    return html`${first}${listed(others)}`;
  }
  const { operation, before, after } = change;
  const reader = { visit, policy, contactNames, toldStatus: statusOf(operation) };
  return html`${operationText(kind, operation, visit.lang)}${listed([...changedFields(before, after, reader), ...sent])}`;
}

const listed = (items: readonly Html[]): Html | false =>
  items.length > 0 && html`<ul class="changes">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

function messageText({ id, type, text: stored }: TimelineMessage, { lang }: Visit, policy: Policy): Html {
  const { text, lang: spoken } = messageWords({ type, text: stored }, lang, policy);
  return html`<a class="within" href="${messageAddress(id)}">${timelineTexts(lang).message}</a>: <span${spoken !== lang && html` lang="${spoken}"`}>${text}</span>`;
}

function mailText({ subject, role, delivery }: TimelineMail, { lang }: Visit): Html {
  const { mail } = timelineTexts(lang);
  return html`${mail.to[role ?? ''] ?? mail.toSomebody}: ${subject} (${mail.deliveries[delivery]})`;
}
