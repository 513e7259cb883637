import { stylesheet } from './shared-style.ts';

/** Markup that is safe to send: made by `html`, or marked with `trusted`. */
export class Html {
  readonly #markup: string;
  constructor(markup: string) {
    this.#markup = markup;
  }
  toString(): string {
    return this.#markup;
  }
}

export type HtmlValue = Html | string | number | bigint | false | null | undefined | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A template in which every value is escaped, safe inside quoted attributes too; fragments and lists of them stay markup. */
export function html(markup: TemplateStringsArray, ...pieces: readonly HtmlValue[]): Html {
  return new Html(markup.reduce((text, part, place) => text + render(pieces[place - 1]) + part));
}

/** Only for markup written in this code base: nothing of it is escaped. */
export const trusted = (markup: string): Html => new Html(markup);

function render(piece: HtmlValue): string {
  if (piece === undefined || piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.toString();
  if (typeof piece === 'object') return piece.map(render).join('');
  return escapeText(String(piece));
}

export type Language = 'en' | 'et';

export type Page = {
  readonly title: string;
  readonly lang: Language;
  /** Content of the main landmark. */
  readonly body: Html;
  /** Shown beside the name, such as the environment of the registry. */
  readonly badge?: string | undefined;
  /** Links at the right of the header. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
  /** Shows a link to the same page in the other language (`?lang=`). */
  readonly inBothLanguages?: boolean;
  /** Parameters of the page that this link keeps. */
  readonly query?: Readonly<Record<string, string>>;
  readonly footer?: Html | undefined;
  /** Where the same page is as Markdown. */
  readonly markdown?: string;
  /** `wide` has room for a table of contents beside the text. */
  readonly width?: 'narrow' | 'wide';
  /** Address of a browser module; the page is sent with a policy that allows it. */
  readonly script?: string;
};

const PHRASES = {
  en: { skip: 'Skip to the content', links: 'Site', language: 'Language', inIt: 'In English', other: 'et' },
  et: { skip: 'Liigu sisu juurde', links: 'Sait', language: 'Keel', inIt: 'Eesti keeles', other: 'en' },
} as const satisfies Record<Language, Record<string, string>>;

function languageSwitch(lang: Language, query: Readonly<Record<string, string>>): Html {
  const { language, other } = PHRASES[lang];
  const parameters = new URLSearchParams({ ...query, lang: other }).toString();
  return html`<nav aria-label="${language}"><a href="?${parameters}" lang="${other}" hreflang="${other}">${PHRASES[other].inIt}</a></nav>`;
}

/** A whole page without external resources; its only resource is the icon, and a script where it has one. */
export function page(content: Page): string {
  const {
    title,
    lang,
    body,
    badge,
    links = [],
    inBothLanguages,
    query = {},
    footer,
    width = 'narrow',
    markdown,
    script,
  } = content;
  const { skip, links: label } = PHRASES[lang];
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">${
    markdown &&
    html`
<link rel="alternate" href="${markdown}" type="text/markdown">`
  }
<style>${trusted(stylesheet)}</style>${
    script &&
    html`
<script type="module" src="${script}"></script>`
  }
</head>
<body class="${width}">
<a class="skip" href="#content">${skip}</a>
<header class="top"><div class="frame">
<a class="name" href="/">${trusted(mark)}<span>Cadastre</span></a>${badge && html`<span class="badge">${badge}</span>`}
${links.length > 0 && html`<nav aria-label="${label}">${links.map(({ text, href }) => html`<a href="${href}">${text}</a>`)}</nav>`}${inBothLanguages && languageSwitch(lang, query)}
</div></header>
<main id="content" class="frame" tabindex="-1">
${body}
</main>
${footer && html`<footer class="bottom"><div class="frame">${footer}</div></footer>`}
</body>
</html>
`.toString();
}

/** The mark: a plot of land divided into parcels, one of them entered in the register. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
<rect width="32" height="32" rx="4" fill="#0b4a7a"/>
<path d="M6 6h20v20H6zM6 14.5h12M18 6v20M18 18.5h8" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>
<path d="M9 17.5h6v5.5H9z" fill="#8cc8f5"/>
</svg>`;
