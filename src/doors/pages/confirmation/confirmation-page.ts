import type { Policy } from '../../../policy/policy.ts';
import type { ShownRequest } from '../../../registry/requests/answer-request.ts';
import { isolated, timeIn } from '../../html/language.ts';
import { type Html, type HtmlValue, html, type Language, page } from '../../html/layout.ts';
import type { ConfirmationTexts, Notice, RequestDetails } from './confirmation-texts.ts';
import { english } from './english-confirmation.ts';
import { estonian } from './estonian-confirmation.ts';

const words: Readonly<Record<Language, ConfirmationTexts>> = { et: estonian, en: english };

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
    domain: isolated(request.domain),
    registrar: isolated(request.registrar),
    newRegistrant: isolated(request.newRegistrant ?? texts.someNewRegistrant),
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
    [texts.domain, isolated(request.domain)],
    [texts.registrar, isolated(request.registrar)],
    [texts.registrant, open && isolated(request.registrant)],
    [texts.newRegistrant, request.newRegistrant !== null && isolated(request.newRegistrant)],
    [texts.requestedAt, timeIn(lang, request.requestedAt, policy)],
    [texts.answerBy, (open || request.state === 'lapsed') && timeIn(lang, request.expiresAt, policy)],
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
