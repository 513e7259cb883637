import { guideOfConsole } from '../guide-links.ts';
import { type Html, html, type Language, mark, trusted } from '../html/layout.ts';
import { loginDialogAddress, shellAddress, shortcutsAddress, stylesheetAddress } from './assets.ts';
import { type FrameTexts, frameTexts } from './frame-texts.ts';
import { icon } from './icons.ts';
import { loginDialog } from './login/login-dialog.ts';
import { MENU, MENU_ICONS, MENU_KEYS, type MenuCounts, TABS } from './menu.ts';
import { type Notice, noticeTexts } from './notice-texts.ts';
import { shortcutsButton, shortcutsHelp } from './shortcuts.ts';
import { type ConsolePage, consoleAddress, isOpenTo, type View, type Visit } from './console-page.ts';

type Frame = {
  readonly lang: Language;
  readonly badge: string | undefined;
  readonly title: string;
  readonly scripts?: readonly string[] | undefined;
  /** At the right of the name. */
  readonly bar?: Html | undefined;
  readonly menu?: Html;
  readonly tabs?: Html;
  readonly body: Html;
};

/** A whole page of the console. */
function documentOf({ lang, badge, title, scripts = [], bar, menu, tabs, body }: Frame): string {
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
<script type="module" src="${shellAddress}"></script>
${menu && html`<script type="module" src="${shortcutsAddress}"></script>\n<script type="module" src="${loginDialogAddress}"></script>\n`}${scripts.map((script) => html`<script type="module" src="${script}"></script>\n`)}</head>
<body class="console">
<a class="skip" href="#content">${skip}</a>
<header class="topbar">
<div class="brand"><a class="name" href="${consoleAddress('')}">${trusted(mark)}<span>Cadastre</span></a>${badge && html`<span class="badge">${badge}</span>`}</div>
${bar}</header>
<div class="columns${!menu && ' alone'}">
${menu}<main id="content" tabindex="-1">
${body}
</main>
</div>
${tabs}</body>
</html>
`.toString();
}

export type FrameSetting = {
  readonly badge: string | undefined;
  /** Of all times that pages show. */
  readonly timeZone: string;
  /** Those with a place in the menu, in their order. */
  readonly menuPages: readonly ConsolePage[];
};

type Shown = {
  /** The page that is shown, as far as it is one of the menu. */
  readonly path: string;
  readonly notice?: Notice | undefined;
  /** The form that takes back what the notice tells. */
  readonly undo?: Html | undefined;
  readonly counts: MenuCounts;
  /** What was searched for. */
  readonly query: string;
};

/** A page for somebody who is logged in. */
export function framed(
  view: View,
  visit: Visit,
  { badge, menuPages, timeZone }: FrameSetting,
  { path, notice, undo, counts, query }: Shown,
): string {
  const texts = frameTexts(visit.lang);
  const menu = {
    pages: menuPages.filter((page) => isOpenTo(page, visit)),
    path,
    counts,
  };
  return documentOf({
    lang: visit.lang,
    badge,
    title: view.title,
    scripts: view.scripts,
    bar: html`${findForm(query, texts)}${personMenu(visit, path)}`,
    menu: html`<nav class="side" id="menu" popover aria-label="${texts.menu}">
${registrarSwitch(visit.session, texts)}${menuGroups(menu, texts)}<p class="zone"><a href="${guideOfConsole(path)}" hreflang="en">${texts.guide}</a></p><p class="zone">${texts.zone(timeZone)}</p>${shortcutsButton(visit.lang)}
</nav>
${shortcutsHelp(visit.lang)}${loginDialog(visit)}`,
    tabs: tabs(menu, texts),
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
    scripts: view.scripts,
    body: view.body,
    ...(languageLink !== undefined && {
      bar: html`<nav aria-label="${frameTexts(lang).otherLanguage}"><a href="${languageLink}" lang="${other}" hreflang="${other}">${frameTexts(lang).otherLanguage}</a></nav>\n`,
    }),
  });
}

type Menu = {
  /** Those that the person may see. */
  readonly pages: readonly ConsolePage[];
  readonly path: string;
  readonly counts: MenuCounts;
};

function menuGroups(menu: Menu, texts: FrameTexts): Html {
  return html`${MENU.map(({ heading, items }) => {
    const entries = items.flatMap((item) => menu.pages.filter((page) => page.menu === item));
    if (entries.length === 0) return '';
    return html`${heading && html`<h2>${texts.groups[heading]}</h2>`}<ul>${entries.map((page) => html`<li>${menuLink(page, menu, texts)}</li>\n`)}</ul>
`;
  })}`;
}

function menuLink(page: ConsolePage, { path, counts }: Menu, { items }: FrameTexts): Html {
  const item = page.menu ?? 'start';
  const isHere = page.path === path || (page.path !== '' && path.startsWith(`${page.path}/`));
  return html`<a href="${consoleAddress(page.path)}"${isHere && html` aria-current="page"`}${MENU_KEYS[item] && html` data-keys="g ${MENU_KEYS[item]}"`}>${icon(MENU_ICONS[item])}${items[item]}${counts[item]}</a>`;
}

/** What the menu has on a telephone without opening it. */
function tabs(menu: Menu, texts: FrameTexts): Html {
  const entries = TABS.flatMap((item) => menu.pages.filter((page) => page.menu === item));
  return html`<nav class="tabs" aria-label="${texts.tabs}">${entries.map((page) => menuLink(page, menu, texts))}<button type="button" popovertarget="menu">${icon('more')}${texts.more}</button></nav>
`;
}

const findForm = (query: string, { find, findLabel }: FrameTexts): Html =>
  html`<form class="find" role="search" aria-label="${findLabel}" method="get" action="${consoleAddress('/search')}"><label class="hidden" for="find">${findLabel}</label><input type="search" id="find" name="q" value="${query}" placeholder="${find}" autocomplete="off" autocapitalize="none" spellcheck="false"><kbd aria-hidden="true">Ctrl K</kbd></form>
`;

function personMenu({ session, lang }: Visit, path: string): Html {
  const texts = frameTexts(lang);
  const other = lang === 'en' ? 'et' : 'en';
  return html`<details class="person"><summary><span class="initials" aria-hidden="true">${initialsOf(session.name)}</span><span class="full">${session.name}</span></summary>
<div class="drop"><a href="${consoleAddress('/account')}"${path.startsWith('/account') && html` aria-current="page"`}>${texts.items.account}</a>
<form method="post" action="${consoleAddress('/language')}"><button name="language" value="${other}" lang="${other}">${texts.otherLanguage}</button></form>
<form method="post" action="${consoleAddress('/logout')}"><button>${texts.logOut}</button></form></div></details>
`;
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .filter((_, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase();

function registrarSwitch({ registrarName, others }: Visit['session'], texts: FrameTexts): Html {
  const current = html`<p class="registrar"><span class="hidden">${texts.actsFor}</span> ${registrarName}</p>
`;
  if (others.length === 0) return current;
  const choices = others.map(({ code, name }) => html`<option value="${code}">${name}</option>`);
  return html`${current}<form method="post" action="${consoleAddress('/registrar')}" class="switch"><label class="hidden" for="registrar">${texts.changeRegistrar}</label>
<select id="registrar" name="registrar">${choices}</select><button class="plain">${texts.changeRegistrar}</button></form>
`;
}
