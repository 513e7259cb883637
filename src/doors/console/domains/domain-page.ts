import { readPosition } from '../../../platform/paging/position.ts';
import {
  checkDomainActions,
  type DomainAction,
} from '../../../registry/domains/readings/possible-domain-changes.ts';
import { type OwnDomain, viewTransferCode } from '../../../registry/domains/readings/read-own-domain.ts';
import { readTimeline } from '../../../registry/history/timeline.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { dayIn, dayOfTime, isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { statusList } from '../../html/status-texts.ts';
import { table } from '../../html/table.ts';
import { copyAddress } from '../assets.ts';
import { copyButton } from '../copy-button.ts';
import { recordActions } from '../action-list.ts';
import {
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  definePage,
  maySeePrices,
  type PageInput,
  type View,
  type Visit,
} from '../console-page.ts';
import { actorName } from '../history/actor-name.ts';
import { timelineView } from '../history/timeline-view.ts';
import { changeTexts } from './change-form-texts.ts';
import { type DomainTexts, domainTexts } from './domain-texts.ts';
import { domainAddress } from './domains-page.ts';
import { contactAddress } from './domain-columns.ts';
import { loadOwnDomain, nameIn } from './own-domain.ts';
import { ownStatusWords } from './own-statuses.ts';
import { stateTag } from './state-tag.ts';

type Policy = ConsoleParts['policy'];

/** One domain with everything about it. */
export const domainPage = definePage({
  path: '/domains/:name',
  right: 'read',
  load: (parts, visit, input) => loadDomain(parts, visit, input),
  view: (loaded, visit, { policy }) => domainView(loaded, visit, policy),
});

/** Shown once, on the page that answers the form; looking at it is recorded. */
export const showTransferCode: ConsoleChange = {
  path: '/domains/:name/transfer-code',
  right: 'objects',
  needsRecentLogin: true,
  run: async (parts, visit, input) => {
    const name = nameIn(input, parts);
    const code = name && (await viewTransferCode(parts.database.writes, name, visit));
    const loaded = code === undefined ? undefined : await loadDomain(parts, visit, input);
    return loaded && domainView(loaded, visit, parts.policy, code);
  },
};

type Loaded = {
  readonly domain: OwnDomain;
  readonly timeline: Awaited<ReturnType<typeof readTimeline>>;
  readonly isFirst: boolean;
};

async function loadDomain(parts: ConsoleParts, visit: Visit, input: PageInput): Promise<Loaded | undefined> {
  const domain = await loadOwnDomain(parts, visit, input);
  if (!domain) return undefined;
  const object = { kind: 'domain' as const, id: domain.id, name: domain.name };
  const since = domain.transferredAt ?? domain.createdAt;
  const after = readPosition(input.query('after'), 'text');
  const timeline = await readTimeline(parts.database.reads, { ...object, since }, after, visit.principal);
  return { domain, timeline, isFirst: after === undefined };
}

function domainView(
  { domain, timeline, isFirst }: Loaded,
  visit: Visit,
  policy: Policy,
  code?: string,
): View {
  const texts = domainTexts(visit.lang);
  const path = `/domains/${encodeURIComponent(domain.name)}`;
  const body = html`<div class="head"><div class="record"><h1>${isolated(domain.name)}</h1>${copyButton(domain.name, visit.lang)}${stateTag({ ...domain, statuses: Object.keys(domain.statuses) }, visit, policy)}</div>${visit.may('objects') && actions(domain, path, visit, policy)}</div>
${code !== undefined && html`<div class="outcome" role="status"><p>${texts.codeIs} <code>${code}</code>${copyButton(code, visit.lang, texts.code)}</p><p><a href="${domainAddress(domain.name)}">${texts.toDomain}</a></p></div>\n`}${requestNotice(domain, visit, policy)}<div class="cards"><div>${card(texts.statuses, statuses(domain, visit))}${card(texts.nameservers, nameservers(domain, visit))}${card(texts.keys, keys(domain, visit))}</div>
<div>${card(texts.contacts, contacts(domain, visit))}${card(texts.dates, dates(domain, visit, policy))}${
    visit.may('objects') && code === undefined && card(texts.code, codeForm(path, visit))
  }</div></div>
${timelineView({ ...timeline, kind: 'domain', path, isFirst }, visit, policy)}`;
  return { title: domain.name, body, scripts: [copyAddress] };
}

const card = (title: string, body: Html): Html => html`<section class="card"><h2>${title}</h2>
${body}</section>
`;

const PAGES: Readonly<Record<DomainAction, string>> = {
  renew: 'renew',
  nameservers: 'nameservers',
  contacts: 'contacts',
  registrant: 'registrant',
  keys: 'keys',
  hold: 'hold',
  transferCode: 'transfer-code/new',
  delete: 'delete',
};

function actions(domain: OwnDomain, path: string, visit: Visit, policy: Policy): Html {
  const { actions: texts } = changeTexts(visit.lang);
  const { statuses: seen } = domain;
  const checked = checkDomainActions({ ...domain, disputed: 'disputed' in seen }, { now: visit.now, policy });
  const isHeld = 'clientHold' in seen;
  const all = Object.keys(PAGES) as DomainAction[];
  // What brings a domain back comes before what prolongs it.
  const ordered = isHeld ? (['hold', ...all.filter((action) => action !== 'hold')] as const) : all;
  const list = ordered.map((action) => {
    const isRelease = action === 'hold' && isHeld;
    return {
      text: texts.names[isRelease ? 'release' : action],
      href: consoleAddress(`${path}/${isRelease ? 'release' : PAGES[action]}`),
      key: action === 'renew' ? 'r' : undefined,
      isAtOnce: action === 'hold',
      isDestructive: action === 'delete',
      refusals: checked[action],
    };
  });
  return recordActions(list, texts, visit);
}

/** What waits for the registrant: what was asked for, by whom and where, and until when. */
function requestNotice({ name, request }: OwnDomain, visit: Visit, policy: Policy): Html | false {
  if (!request) return false;
  const { lang } = visit;
  const texts = domainTexts(lang);
  const { newRegistrant, requestedBy, requestedAt, expiresAt, email } = request;
  const until = dayOfTime(lang, new Date(expiresAt), policy);
  return html`<div class="outcome"><p>${texts.request(request.kind, newRegistrant?.code ?? null, until)}</p>
${factList([
  [
    texts.waiting.newRegistrant,
    newRegistrant &&
      html`<a href="${contactAddress(newRegistrant.code)}">${isolated(newRegistrant.name)}</a>`,
  ],
  [texts.waiting.further, request.hasFurtherChanges && texts.waiting.yes],
  [texts.waiting.askedBy, isolated(actorName(requestedBy))],
  [texts.waiting.askedAt, momentIn(lang, new Date(requestedAt), policy)],
  [texts.waiting.email, isolated(email)],
])}${visit.may('objects') && requestButtons(name, texts)}</div>
`;
}

const requestButtons = (name: string, { waiting }: DomainTexts): Html => {
  const form = (change: 'resend' | 'withdraw', text: string) =>
    html`<form method="post" action="${consoleAddress(`/domains/${encodeURIComponent(name)}/request/${change}`)}"><button class="act second">${text}</button></form>`;
  return html`<div class="asks">${form('resend', waiting.sendAgain)}${form('withdraw', waiting.withdraw)}</div>
`;
};

function statuses({ statuses: all, forceDeleteReason }: OwnDomain, { lang }: Visit): Html {
  const { note } = domainTexts(lang);
  const noteOf = (status: string) =>
    [all[status], status === 'serverForceDelete' ? forceDeleteReason : undefined]
      .filter((text) => text !== undefined && text !== null && text !== '')
      .map((text) => html`<dd>${note} ${text}</dd>`);
  return statusList(
    Object.keys(all),
    (status) => ownStatusWords(lang, status),
    (status) => html`${noteOf(status)}`,
  );
}

function dates(domain: OwnDomain, visit: Visit, policy: Policy): Html {
  const { lang } = visit;
  const { labels, renewal, renewalOf } = domainTexts(lang);
  const time = (at: Date | null) => at !== null && momentIn(lang, at, policy);
  const day = (text: string | null) =>
    text !== null && html`<time datetime="${text}">${dayIn(lang, text)}</time>`;
  const { renewalPrice } = domain;
  return factList([
    [labels.created, time(domain.createdAt)],
    [labels.changed, domain.updatedAt > domain.createdAt && time(domain.updatedAt)],
    [labels.transferred, time(domain.transferredAt)],
    [labels.expires, time(domain.expireTime)],
    [labels.outzone, time(domain.outzoneAt)],
    [labels.deletion, day(domain.deleteDate)],
    [labels.forceStart, day(domain.forceDeleteStart)],
    [labels.forceDelete, day(domain.forceDeleteDate)],
    [labels.reference, domain.reference !== null && isolated(domain.reference)],
    [
      renewal,
      maySeePrices(visit) &&
        renewalPrice !== null &&
        renewalOf(amountIn(lang, renewalPrice, policy.currency)),
    ],
  ]);
}

function contacts({ contacts: all }: OwnDomain, { lang }: Visit): Html {
  const texts = domainTexts(lang);
  return table(
    { label: texts.contacts, columns: texts.contactColumns.map((title) => ({ title })) },
    all.map(({ role, name, code }) => [
      texts.roles[role],
      isolated(name),
      html`<a href="${contactAddress(code)}">${code}</a>${copyButton(code, lang)}`,
    ]),
  );
}

function nameservers({ nameservers: hosts }: OwnDomain, { lang }: Visit): Html {
  const texts = domainTexts(lang);
  if (hosts.length === 0) return html`<p>${texts.noNameservers}</p>\n`;
  return table(
    { label: texts.nameservers, columns: texts.nameserverColumns.map((title) => ({ title })) },
    hosts.map(({ hostname, ipv4, ipv6 }) => [
      html`<code>${hostname}</code>${copyButton(hostname, lang)}`,
      ipv4.length + ipv6.length > 0 && html`<code>${[...ipv4, ...ipv6].join(', ')}</code>`,
    ]),
  );
}

function keys({ dnsKeys }: OwnDomain, { lang }: Visit): Html {
  const texts = domainTexts(lang);
  if (dnsKeys.length === 0) return html`<p>${texts.noKeys}</p>\n`;
  return table(
    { label: texts.keys, columns: texts.keyColumns.map((title) => ({ title })) },
    dnsKeys.map(({ keyTag, flags, alg, publicKey }) => [
      keyTag,
      flags,
      alg,
      html`<code class="digest">${publicKey}</code>${copyButton(publicKey, lang, `${texts.keys} ${keyTag}`)}`,
    ]),
  );
}

function codeForm(path: string, { lang }: Visit): Html {
  const texts = domainTexts(lang);
  return html`<form method="post" action="${consoleAddress(`${path}/transfer-code`)}"><p>${texts.codeHint}</p><button class="act second">${texts.showCode}</button></form>
`;
}
