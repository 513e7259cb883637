import { webAddress } from '../../../platform/values/web-address.ts';
import type { Policy } from '../../../policy/policy.ts';
import { searchForm } from '../../html/form.ts';
import { type Html, type HtmlValue, html, type Language, page } from '../../html/layout.ts';
import { english } from './english-lookup.ts';
import { estonian } from './estonian-lookup.ts';
import type { LookupNotice, LookupTexts } from './lookup-texts.ts';

export type LookupSetting = {
  readonly lang: Language;
  readonly policy: Policy;
  readonly badge: string | undefined;
};

const TEXTS: Readonly<Record<Language, LookupTexts>> = { et: estonian, en: english };
export const textsIn = (lang: Language): LookupTexts => TEXTS[lang];

/** Longer than any name, for what people paste. */
export const MAX_ASKED = 255;

/** An address of these pages in the language of the present one. */
export const lookupAddress = (
  path: '' | '/registrars' | '/contact' | '/contact/sent',
  lang: Language,
  query: Readonly<Record<string, string>> = {},
): string => `/lookup${path}?${new URLSearchParams({ ...query, lang }).toString()}`;

type Content = {
  readonly title: string;
  readonly heading: HtmlValue;
  readonly body: Html;
  readonly query?: Readonly<Record<string, string>>;
};

export function framed(
  { title, heading, body, query = {} }: Content,
  { lang, badge }: LookupSetting,
): string {
  const { lookUp, registrars } = textsIn(lang);
  return page({
    title: `${title} · Cadastre`,
    lang,
    badge,
    query,
    inBothLanguages: true,
    links: [
      { text: lookUp, href: lookupAddress('', lang) },
      { text: registrars, href: lookupAddress('/registrars', lang) },
    ],
    body: html`<div class="lookup"><h1 class="names">${heading}</h1>\n${body}</div>`,
  });
}

/** The search box; `asked` is what was looked up last. */
export function nameSearch(asked: string, { lang, policy }: LookupSetting): Html {
  const { nameLabel, nameHint, search } = textsIn(lang);
  return searchForm({
    name: 'name',
    label: nameLabel,
    value: asked,
    maxLength: MAX_ASKED,
    hint: nameHint(policy.zones[0]?.origin ?? ''),
    action: '/lookup',
    button: search,
    hidden: { lang },
  });
}

export function lookupNotice(notice: LookupNotice, setting: LookupSetting): string {
  const { notice: notices, back } = textsIn(setting.lang);
  const [heading, advice] = notices[notice];
  const body = html`<p class="lead">${advice}</p>
<p><a href="${lookupAddress('', setting.lang)}">${back}</a></p>`;
  return framed({ title: heading, heading, body }, setting);
}

/** A link to a site of somebody else; what is not the address of a site is text. */
export function siteLink(address: string): HtmlValue {
  const name = address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return webAddress(address) !== undefined ? html`<a href="${address}">${name}</a>` : address;
}

/** A link that dials. */
export const phoneLink = (phone: string): Html =>
  html`<a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone.replace('.', ' ')}</a>`;

export const mailLink = (email: string): Html =>
  html`<a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>`;
