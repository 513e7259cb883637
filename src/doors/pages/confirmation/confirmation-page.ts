import type { Policy } from '../../../policy/policy.ts';
import type { ShownRequest } from '../../../registry/requests/answer-request.ts';
import { type Html, html, type Language, type Piece, page } from '../../html/layout.ts';
import type { Notice, Told, Words } from './confirmation-texts.ts';
import { english } from './english.ts';
import { estonian } from './estonian.ts';

/** The registry's own language first: it is the one for readers who name neither. */
export const languages = ['et', 'en'] as const;
const words: Readonly<Record<Language, Words>> = { et: estonian, en: english };
/** Which form of a language dates are written in. */
const LOCALES: Readonly<Record<Language, string>> = { et: 'et', en: 'en-GB' };

type Setting = {
  readonly lang: Language;
  readonly policy: Policy;
  readonly badge: string | undefined;
};

/** What the registrant is asked, with the two buttons while it is open; afterwards what became of it. */
export function requestPage(request: ShownRequest, setting: Setting): string {
  const { lang, policy } = setting;
  const { kind, state } = request;
  const said = words[lang];
  const told: Told = {
    domain: name(request.domain),
    registrar: name(request.registrar),
    newRegistrant: name(request.newRegistrant ?? said.someNewRegistrant),
    redemptionDays: policy.domains.redemptionDays,
  };
  const heading = said.heading[kind](request.domain);
  if (state === 'open')
    return framed(
      heading,
      html`<p class="lead names">${said.asks[kind](told)}</p>
${factList(request, setting)}
<ul class="means names"><li>${said.ifConfirmed[kind](told)}</li><li>${said.ifNot[kind]}</li></ul>
${form(request, said)}
<p class="quiet">${said.surprised}</p>`,
      setting,
    );
  const [happened, meaning] = said.outcome[kind][state](told);
  return framed(
    heading,
    html`<div class="outcome ${state} names"><p>${happened}</p><p>${meaning}</p></div>
${factList(request, setting)}`,
    setting,
  );
}

/** A page for whoever cannot be shown a request; `back` leads to the one whose form was not understood. */
export function noticePage(
  notice: Notice,
  { back = false, ...setting }: Setting & { back?: boolean },
): string {
  const { lang } = setting;
  const { notice: notices, backToRequest } = words[lang];
  const [heading, advice] = notices[notice];
  const link = back && html`<p><a href="?lang=${lang}">${backToRequest}</a></p>`;
  return framed(heading, html`<p class="lead">${advice}</p>\n${link}`, setting);
}

function framed(heading: string, body: Html, { lang, badge }: Setting): string {
  return page({
    title: `${heading} · Cadastre`,
    lang,
    badge,
    inBothLanguages: true,
    body: html`<h1 class="names">${heading}</h1>\n${body}`,
  });
}

/** The present registrant is named while he is asked; who holds the domain later is not for the holder of an old link. */
function factList(request: ShownRequest, { lang, policy }: Setting): Html {
  const said = words[lang];
  const open = request.state === 'open';
  const facts: readonly (readonly [string, Piece])[] = [
    [said.domain, name(request.domain)],
    [said.registrar, name(request.registrar)],
    [said.registrant, open && name(request.registrant)],
    [said.newRegistrant, request.newRegistrant !== null && name(request.newRegistrant)],
    [said.requestedAt, time(request.requestedAt, lang, policy)],
    [said.answerBy, (open || request.state === 'lapsed') && time(request.lapsesAt, lang, policy)],
  ];
  const shown = facts.filter(([, value]) => value !== false);
  return html`<dl class="asked">${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** Without an action the form goes to the address that the page has, whatever stands in front of this server. */
function form({ kind }: ShownRequest, { confirm, reject }: Words): Html {
  return html`<form class="decision" method="post">
<button class="confirm${kind === 'deletion' && ' grave'}" name="decision" value="confirm">${confirm[kind]}</button>
<button name="decision" value="reject">${reject}</button>
</form>`;
}

/** Names may be written in any direction; they must not turn the words around them. */
const name = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A moment in the registry's zone, and which zone that is. */
function time(at: Date, lang: Language, { timeZone }: Policy): Html {
  const locale = LOCALES[lang];
  const moment = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short' });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return html`<time datetime="${at.toISOString()}">${moment.format(at)}</time> <span class="zone">(${zone})</span>`;
}
