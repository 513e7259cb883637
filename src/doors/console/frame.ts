import { type Html, html, type Language, mark, trusted } from '../html/layout.ts';
import { stylesheetAddress } from './assets.ts';
import { frameTexts } from './frame-texts.ts';
import { type Notice, noticeTexts } from './notice-texts.ts';
import { type ConsolePage, consoleAddress, type View, type Visit } from './console-page.ts';

type Frame = {
  readonly lang: Language;
  readonly badge: string | undefined;
  readonly title: string;
  readonly script?: string | undefined;
  readonly header?: Html;
  readonly menu?: Html;
  readonly body: Html;
};

/** A whole page of the console. */
function documentOf({ lang, badge, title, script, header, menu, body }: Frame): string {
  const { console: name, skip } = frameTexts(lang);
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${name}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetAddress}">
${script !== undefined && html`<script type="module" src="${script}"></script>\n`}</head>
<body class="console wide">
<a class="skip" href="#content">${skip}</a>
<header class="top"><div class="frame">
<a class="name" href="${consoleAddress('')}">${trusted(mark)}<span>Cadastre</span></a>${badge && html`<span class="badge">${badge}</span>`}
${header}</div></header>
<div class="columns frame${!menu && ' alone'}">
${menu}<main id="content" tabindex="-1">
${body}
</main>
</div>
</body>
</html>
`.toString();
}

export type FrameSetting = {
  readonly badge: string | undefined;
  /** Those with a place in the menu, in their order. */
  readonly menuPages: readonly ConsolePage[];
};

type Shown = {
  /** The page that is shown, as far as it is one of the menu. */
  readonly path: string;
  readonly notice?: Notice | undefined;
  /** The form that takes back what the notice tells. */
  readonly undo?: Html | undefined;
};

/** A page for somebody who is logged in. */
export function framed(
  view: View,
  visit: Visit,
  setting: FrameSetting,
  { path, notice, undo }: Shown,
): string {
  return documentOf({
    lang: visit.lang,
    badge: setting.badge,
    title: view.title,
    script: view.script,
    header: personArea(visit),
    menu: menuOf(visit, setting.menuPages, path),
    body: html`${notice && html`<div class="outcome" role="status"><p>${noticeTexts(visit.lang)[notice]}</p>${undo}</div>\n`}${view.body}`,
  });
}

/** A page for somebody who is not logged in. */
export function framedLoggedOut(
  view: View,
  lang: Language,
  { badge }: FrameSetting,
  languageLink?: string,
): string {
  const other = lang === 'en' ? 'et' : 'en';
  return documentOf({
    lang,
    badge,
    title: view.title,
    script: view.script,
    body: view.body,
    ...(languageLink !== undefined && {
      header: html`<nav aria-label="${frameTexts(lang).otherLanguage}"><a href="${languageLink}" lang="${other}" hreflang="${other}">${frameTexts(lang).otherLanguage}</a></nav>\n`,
    }),
  });
}

function menuOf(visit: Visit, pages: readonly ConsolePage[], path: string): Html {
  const texts = frameTexts(visit.lang);
  const shown = pages.filter(({ right }) => right === undefined || visit.may(right));
  const isHere = (page: ConsolePage) =>
    page.path === path || (page.path !== '' && path.startsWith(`${page.path}/`));
  return html`<nav class="menu" aria-label="${texts.menu}"><ul>${shown.map(
    (page) =>
      html`<li><a href="${consoleAddress(page.path)}"${isHere(page) && html` aria-current="page"`}>${page.menu && texts.items[page.menu]}</a></li>\n`,
  )}</ul></nav>
`;
}

function personArea({ session, lang }: Visit): Html {
  const texts = frameTexts(lang);
  const other = lang === 'en' ? 'et' : 'en';
  return html`<div class="person">
${registrarSwitch(session, texts)}
<p><span class="label">${texts.person}</span> ${session.name}</p>
<form method="post" action="${consoleAddress('/language')}"><button class="plain" name="language" value="${other}" lang="${other}">${texts.otherLanguage}</button></form>
<form method="post" action="${consoleAddress('/logout')}"><button class="plain">${texts.logOut}</button></form>
</div>
`;
}

function registrarSwitch(session: Visit['session'], texts: ReturnType<typeof frameTexts>): Html {
  const current = html`<span class="label">${texts.actsFor}</span> <strong>${session.registrarName}</strong>`;
  if (session.others.length === 0) return html`<p>${current}</p>`;
  const choices = session.others.map(({ code, name }) => html`<option value="${code}">${name}</option>`);
  return html`<p>${current}</p>
<form method="post" action="${consoleAddress('/registrar')}" class="inline"><label class="hidden" for="registrar">${texts.changeRegistrar}</label>
<select id="registrar" name="registrar">${choices}</select><button class="plain">${texts.changeRegistrar}</button></form>`;
}
