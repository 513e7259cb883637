import { quotedText } from '../../../platform/paging/text-pattern.ts';
import { readPosition } from '../../../platform/paging/position.ts';
import { MAX_DOMAINS_SHOWN, type OwnContact } from '../../../registry/contacts/search-contacts.ts';
import { checkContactActions } from '../../../registry/contacts/possible-contact-changes.ts';
import { addressLine } from '../../../registry/contacts/postal-address.ts';
import { readTimeline } from '../../../registry/history/timeline.ts';
import { factList } from '../../html/fact-list.ts';
import { countryIn, dayOfTime, isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { copyAddress } from '../assets.ts';
import { copyButton } from '../copy-button.ts';
import { recordActions } from '../action-list.ts';
import { domainTexts } from '../domains/domain-texts.ts';
import { domainAddress } from '../domains/domains-page.ts';
import { statusWord } from '../domains/status-word.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { timelineView } from '../history/timeline-view.ts';
import { contactFormTexts } from './contact-form-texts.ts';
import { identText } from './contact-query.ts';
import { contactsTexts } from './contacts-texts.ts';
import { loadOwnContact } from './own-contact.ts';

/** One contact with its domains and what happened to it. */
export const contactPage = definePage({
  path: '/contacts/:code',
  right: 'read',
  load: async (parts, visit, input) => {
    const contact = await loadOwnContact(parts, visit, input);
    if (!contact) return undefined;
    const after = readPosition(input.query('after'), 'text');
    const object = { kind: 'contact' as const, id: contact.id, name: contact.code, since: contact.createdAt };
    const timeline = await readTimeline(parts.database.reads, object, after, visit.principal);
    return { contact, timeline, isFirst: after === undefined };
  },
  view: ({ contact, timeline, isFirst }, visit, { policy }) => {
    const path = `/contacts/${encodeURIComponent(contact.code)}`;
    const body = html`<div class="head"><h1>${isolated(contact.name)}</h1>${visit.may('objects') && actions(contact, path, visit, policy)}</div>
${facts(contact, visit, policy)}${requests(contact, visit, policy)}<h2>${contactsTexts(visit.lang).domains}</h2>
${domains(contact, visit)}${timelineView({ ...timeline, kind: 'contact', path, isFirst }, visit, policy)}`;
    return { title: contact.code, body, scripts: [copyAddress] };
  },
});

function actions(contact: OwnContact, path: string, visit: Visit, policy: ConsoleParts['policy']): Html {
  const { actions: texts } = contactFormTexts(visit.lang);
  const checked = checkContactActions(contact, policy);
  const changes = (['change', 'delete'] as const).map((action) => ({
    text: texts.names[action],
    href: consoleAddress(`${path}/${action}`),
    isDestructive: action === 'delete',
    refusals: checked[action],
  }));
  const register = {
    text: texts.names.register,
    href: consoleAddress('/domains/register', { registrant: contact.code }),
  };
  return recordActions([register, ...changes], texts, visit);
}

/** What waits for this registrant, or for the one that it is to follow. */
function requests(
  { requests: all }: OwnContact,
  { lang }: Visit,
  policy: ConsoleParts['policy'],
): Html | false {
  if (all.length === 0) return false;
  const { waiting, waitingColumns, waitingFor } = contactsTexts(lang);
  const columns = waitingColumns.map((title) => ({ title }));
  const rows = all.map(({ domain, kind, isFollower, expiresAt }) => [
    html`<a href="${domainAddress(domain)}">${isolated(domain)}</a>`,
    kind === 'deletion' ? waitingFor.deletion : isFollower ? waitingFor.follower : waitingFor.change,
    dayOfTime(lang, new Date(expiresAt), policy),
  ]);
  return html`<h2>${waiting}</h2>\n${table({ label: waiting, columns }, rows)}`;
}

function facts(contact: OwnContact, visit: Visit, policy: ConsoleParts['policy']): Html {
  const { lang } = visit;
  const { labels } = contactsTexts(lang);
  const attributes: Readonly<Record<string, string | undefined>> = contactFormTexts(lang).attributes;
  const { address, statuses, disclosedAttributes, createdAt, updatedAt } = contact;
  return factList([
    [labels.code, html`${contact.code}${copyButton(contact.code, lang)}`],
    [labels.ident, identText(contact.ident, visit)],
    [
      labels.email,
      html`<a href="mailto:${encodeURIComponent(contact.email)}">${isolated(contact.email)}</a>${copyButton(contact.email, lang)}`,
    ],
    [
      labels.phone,
      contact.phone &&
        html`<a href="tel:${contact.phone.replaceAll(/[^\d+]/g, '')}">${contact.phone}</a>${copyButton(contact.phone, lang)}`,
    ],
    [labels.address, address && isolated(addressLine(address, countryIn(lang, address.countryCode)))],
    [
      labels.statuses,
      statuses.length > 0 && commaSeparated(statuses.map((status) => statusWord(status, lang))),
    ],
    [
      labels.disclosed,
      disclosedAttributes.length > 0 &&
        disclosedAttributes.map((name) => attributes[name] ?? name).join(', '),
    ],
    [labels.reference, contact.reference !== null && isolated(contact.reference)],
    [labels.created, momentIn(lang, createdAt, policy)],
    [labels.changed, updatedAt > createdAt && momentIn(lang, updatedAt, policy)],
  ]);
}

const commaSeparated = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`;

function domains({ domains: all, code }: OwnContact, { lang }: Visit): Html {
  const texts = contactsTexts(lang);
  const { roles: names } = domainTexts(lang);
  if (all.length === 0) return html`<p>${texts.noDomains}</p>\n`;
  const rows = all.map(({ name, roles }) => [
    html`<a href="${domainAddress(name)}">${isolated(name)}</a>`,
    roles.map((role) => names[role]).join(', '),
  ]);
  const columns = texts.domainColumns.map((title) => ({ title }));
  return html`${table({ label: texts.domains, columns }, rows)}${
    all.length === MAX_DOMAINS_SHOWN &&
    html`<p><a href="${consoleAddress('/domains', { contact: quotedText(code) })}">${texts.allDomains}</a></p>\n`
  }`;
}
