import type { Mail } from './enqueue-mails.ts';

/** The same text in both languages of the registry, since a registrant's language is unknown. */
export type Bilingual<T> = { readonly et: T; readonly en: T };
type MailContent = {
  readonly to: string;
  /** The domains that it is about. Anything else that looks like a URL came from a client's data. */
  readonly about: readonly string[];
  readonly subject: Bilingual<string>;
  readonly paragraphs: Bilingual<readonly string[]>;
  /** The only link that stays clickable. */
  readonly link?: string;
  /** Where the language of the recipient is known. */
  readonly language?: keyof Bilingual<unknown>;
  /** What somebody else wrote, marked as theirs in every line, so that it cannot pass as a word of the registry. */
  readonly quotation?: string;
  readonly replyTo?: string;
};

export function composeMail({
  to,
  about,
  subject,
  paragraphs,
  link,
  replyTo,
  ...content
}: MailContent): Mail {
  const languages = content.language ? [content.language] : (['et', 'en'] as const);
  const parts = languages.map((language) => {
    const safe = paragraphs[language].map((text) => defang(text, about));
    return link === undefined ? safe : [...safe, link];
  });
  const quoted = content.quotation === undefined ? [] : defang(content.quotation, about).split('\n');
  return {
    to,
    subject: defang(languages.map((language) => subject[language]).join(' / '), about),
    text: [
      parts.map((texts) => texts.join('\n\n')).join('\n\n* * *\n\n'),
      ...(quoted.length > 0 ? [quoted.map((line) => `> ${line}`.trimEnd()).join('\n')] : []),
    ]
      .join('\n\n')
      .concat('\n'),
    html: [
      `<!doctype html><html lang="${languages[0]}"><body>`,
      parts.map((texts) => texts.map((text) => paragraph(text, link)).join('')).join('<hr>'),
      quoted.length > 0 ? `<blockquote>${quoted.map(escaped).join('<br>')}</blockquote>` : '',
      '</body></html>',
    ].join(''),
    ...(replyTo !== undefined && { replyTo }),
  };
}

function paragraph(text: string, link: string | undefined): string {
  const safe = escaped(text);
  return text === link ? `<p><a href="${safe}">${safe}</a></p>` : `<p>${safe}</p>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** A dot between a character and the start of a top-level domain: mail programs make a link of that. */
const LOOKS_LIKE_A_HOST = /[^\s.][.\u3002\uff0e\uff61]\p{L}[\p{L}\p{M}\p{N}-]/u;
const SCHEME = '://';
const DOT = /[.\u3002\uff0e\uff61]/g;
/** Punctuation around a word. */
const PUNCTUATION = '.,;:!?()"\'“”„«»';

/**
 * Makes URLs in a text unusable as links, as `http[://]evil[.]example`: mail programs turn anything similar into a
 * link, including the name of a contact. Words of `trusted` stay as they are.
 */
export function defang(text: string, trusted: readonly string[]): string {
  const known = new Set(trusted.map((word) => word.toLowerCase()));
  return text.replace(/\S+/g, (run) => {
    if (!run.includes(SCHEME) && !LOOKS_LIKE_A_HOST.test(run)) return run;
    const from = lengthOfPunctuation([...run]);
    const until = run.length - lengthOfPunctuation([...run].reverse());
    const word = run.slice(from, until);
    if (known.has(word.toLowerCase())) return run;
    return (
      run.slice(0, from) + word.replaceAll(SCHEME, `[${SCHEME}]`).replace(DOT, '[$&]') + run.slice(until)
    );
  });
}

/** The length of the leading punctuation. */
function lengthOfPunctuation(characters: readonly string[]): number {
  const end = characters.findIndex((character) => !PUNCTUATION.includes(character));
  return end < 0 ? characters.length : end;
}
