import { defang } from './defang.ts';
import type { Mail } from './mail.ts';

/** The same words in the registry's two languages; nobody knows which of them a registrant reads. */
export type InBoth<T> = { readonly et: T; readonly en: T };
type Letter = {
  readonly to: string;
  /** The domains that it is about. Whatever else in its words looks like an address came with somebody's name. */
  readonly about: readonly string[];
  readonly subject: InBoth<string>;
  readonly paragraphs: InBoth<readonly string[]>;
  /** The only one that a reader can follow. */
  readonly link?: string;
};

export function letter({ to, about, subject, paragraphs, link }: Letter): Mail {
  const parts = [paragraphs.et, paragraphs.en].map((texts) => {
    const safe = texts.map((text) => defang(text, about));
    return link === undefined ? safe : [...safe, link];
  });
  return {
    to,
    subject: defang(`${subject.et} / ${subject.en}`, about),
    text: `${parts.map((texts) => texts.join('\n\n')).join('\n\n* * *\n\n')}\n`,
    html: [
      '<!doctype html><html lang="et"><body>',
      parts.map((texts) => texts.map((text) => paragraph(text, link)).join('')).join('<hr>'),
      '</body></html>',
    ].join(''),
  };
}

function paragraph(text: string, link: string | undefined): string {
  const safe = escaped(text);
  return text === link ? `<p><a href="${safe}">${safe}</a></p>` : `<p>${safe}</p>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
