import type { MessageRecord } from '../../../registry/poll/find-messages.ts';
import type { MessageDetails } from '../../../registry/poll/message-details.ts';
import { factList } from '../../html/fact-list.ts';
import { hiddenField } from '../../html/form.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, type HtmlValue, html, type Language } from '../../html/layout.ts';
import { domainAddress } from '../domains/domains-page.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { type ConsoleParts, consoleAddress, type Visit } from '../console-page.ts';
import { actorName } from '../history/actor-name.ts';
import { timelineTexts } from '../history/timeline-texts.ts';
import { messageTexts } from './message-texts.ts';
import { messageWords } from './message-words.ts';

/** A message with what it is about, and the button that marks it as read. */
export function messageArticle(
  message: MessageRecord,
  parameters: Readonly<Record<string, string>>,
  visit: Visit,
  parts: ConsoleParts,
): Html {
  const texts = messageTexts(visit.lang);
  const { text, lang } = messageWords(message, visit.lang, parts.policy);
  return html`<h2>${texts.types[message.type]}</h2>
<p class="lead"${lang !== visit.lang && html` lang="${lang}"`}>${text}</p>
${factList([...messageFacts(message, visit, parts), ...detailFacts(message.details, visit, parts)])}${
  message.readAt === null &&
  visit.may('objects') &&
  html`<form method="post" action="${consoleAddress('/messages/acknowledge')}">${Object.entries(parameters).map(([name, value]) => hiddenField(name, value))}${hiddenField('message', String(message.id))}<p><button data-keys="e">${texts.acknowledge}</button></p></form>\n`
}`;
}

type Facts = (readonly [string, HtmlValue])[];

function messageFacts(message: MessageRecord, { lang }: Visit, { policy }: ConsoleParts): Facts {
  const { facts, unread } = messageTexts(lang);
  const { domain, contact, details } = message;
  const name = details && isolated(details.name);
  const isContact = details?.kind === 'change' && details.object === 'contact';
  return [
    [facts.number, message.id],
    [facts.at, momentIn(lang, message.createdAt, policy)],
    [facts.read, message.readAt === null ? unread : momentIn(lang, message.readAt, policy)],
    [
      facts.domain,
      domain === null ? !isContact && name : html`<a href="${domainAddress(domain)}">${isolated(domain)}</a>`,
    ],
    [
      facts.contact,
      contact === null ? isContact && name : html`<a href="${contactAddress(contact)}">${contact}</a>`,
    ],
  ];
}

/** Names of the registry's staff are its own affair. */
function whoIn(actor: string, lang: Language): HtmlValue {
  const { authors } = timelineTexts(lang);
  if (/^(?:user|epp|person):/.test(actor)) return isolated(actorName(actor));
  if (actor === 'registrant') return authors.registrant;
  return actor === 'registry' ? authors.automatic : authors.registry;
}

/** What the interfaces for programs have as fields. */
function detailFacts(details: MessageDetails | null, { lang }: Visit, { policy }: ConsoleParts): Facts {
  const { facts, outcomes } = messageTexts(lang);
  switch (details?.kind) {
    case 'transfer':
      return [
        [facts.losing, details.losing],
        [facts.gaining, details.gaining],
        [facts.expires, momentIn(lang, new Date(details.expireTime), policy)],
      ];
    case 'pending action':
      return [
        [facts.outcome, details.succeeded ? outcomes.succeeded : outcomes.failed],
        [facts.request, html`<code>${details.requestId}</code>`],
      ];
    case 'change':
      return [
        [facts.who, whoIn(details.who, lang)],
        [facts.reason, details.reason],
        [facts.request, details.requestId !== null && html`<code>${details.requestId}</code>`],
      ];
    default:
      return [];
  }
}
