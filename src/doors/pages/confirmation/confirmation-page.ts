import type { Policy } from '../../../policy/policy.ts';
import type { ShownRequest } from '../../../registry/requests/answer-request.ts';
import { type Html, type HtmlValue, html, type Language, page } from '../../html/layout.ts';
import type { ConfirmationTexts, Notice, RequestDetails } from './confirmation-texts.ts';
import { english } from './english.ts';
import { estonian } from './estonian.ts';

/** The registry's own language first: it is the default. */
export const languages = ['et', 'en'] as const;
const words: Readonly<Record<Language, ConfirmationTexts>> = { et: estonian, en: english };
/** The locale in which dates are written. */
const LOCALES: Readonly<Record<Language, string>> = { et: 'et', en: 'en-GB' };

type Setting = {
  readonly lang: Language;
  readonly policy: Policy;
  readonly badge: string | undefined;
};

/** The question to the registrant, with two buttons while it is open; afterwards its outcome. */
export function requestPage(request: ShownRequest, setting: Setting): string {
  const { lang, policy } = setting;
  const { kind, state } = request;
  const texts = words[lang];
  const values: RequestDetails = {
    domain: name(request.domain),
    registrar: name(request.registrar),
    newRegistrant: name(request.newRegistrant ?? texts.someNewRegistrant),
    redemptionDays: policy.domains.redemptionDays,
  };
  const heading = texts.heading[kind](request.domain);
  if (state === 'open')
    return framed(
      heading,
      html`<p class="lead names">${texts.asks[kind](values)}</p>
${factList(request, setting)}
<ul class="means names"><li>${texts.ifConfirmed[kind](values)}</li>${request.hasFurtherChanges && html`<li>${texts.furtherChanges}</li>`}<li>${texts.ifNot[kind]}</li></ul>
${form(request, texts)}
<p class="quiet">${texts.surprised}</p>`,
      setting,
    );
  const [happened, meaning] = texts.outcome[kind][state](values);
  return framed(
    heading,
    html`<div class="outcome ${state} names"><p>${happened}</p><p>${meaning}</p></div>
${factList(request, setting)}`,
    setting,
  );
}

/** A page without a request; `back` links to the request whose form was not understood. */
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

/**
 * The current registrant is named only while the request is open; the holder of an old link must not learn later ones.
 */
function factList(request: ShownRequest, { lang, policy }: Setting): Html {
  const texts = words[lang];
  const open = request.state === 'open';
  const facts: readonly (readonly [string, HtmlValue])[] = [
    [texts.domain, name(request.domain)],
    [texts.registrar, name(request.registrar)],
    [texts.registrant, open && name(request.registrant)],
    [texts.newRegistrant, request.newRegistrant !== null && name(request.newRegistrant)],
    [texts.requestedAt, time(request.requestedAt, lang, policy)],
    [texts.answerBy, (open || request.state === 'lapsed') && time(request.expiresAt, lang, policy)],
  ];
  const shown = facts.filter(([, value]) => value !== false);
  return html`<dl class="asked">${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** Without an action the form is submitted to the URL of the page, whichever proxy is in front of this server. */
function form({ kind }: ShownRequest, { confirm, reject }: ConfirmationTexts): Html {
  return html`<form class="decision" method="post">
<button class="confirm${kind === 'deletion' && ' grave'}" name="decision" value="confirm">${confirm[kind]}</button>
<button name="decision" value="reject">${reject}</button>
</form>`;
}

/** Isolates names of any text direction from the words around them. */
const name = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A time in the registry's zone, with the zone. */
function time(at: Date, lang: Language, { timeZone }: Policy): Html {
  const locale = LOCALES[lang];
  const moment = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short' });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return html`<time datetime="${at.toISOString()}">${moment.format(at)}</time> <span class="zone">(${zone})</span>`;
}
