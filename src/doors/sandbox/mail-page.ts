import type { SentMail, UnsentMail } from '../../platform/mail/mail-view.ts';
import { type Html, html, type Piece, page } from '../pages/layout.ts';
import { table } from '../pages/table.ts';
import { LINK } from './links.ts';

export type Mails = { readonly sent: readonly SentMail[]; readonly unsent: readonly UnsentMail[] };

/** What went out and what is still to go, for somebody who follows the link of a mail by hand. */
export function mailPage({ sent, unsent }: Mails): string {
  return page({
    title: 'Mails of the sandbox',
    lang: 'en',
    badge: 'Sandbox',
    links: [{ text: 'API reference', href: '/docs' }],
    body: html`<h1>Mails</h1>
<p class="lead">What a registrant or a registrar would find in the inbox, the newest first. No mail leaves this machine.</p>
${unsent.length > 0 && unsentTable(unsent)}
${sent.length > 0 ? sent.map(letter) : html`<p>No mail was sent yet.</p>`}`,
  });
}

function letter({ id, to, subject, text, sentAt }: SentMail): Html {
  return html`<article>
<h2>${subject}</h2>
<dl class="facts"><div><dt>To</dt><dd>${to}</dd></div><div><dt>Sent</dt><dd>${moment(sentAt)}</dd></div></dl>
<p class="letter">${withLinks(text)}</p>
<p><a href="/sandbox/mail/${id}">The same mail as HTML</a></p>
</article>
`;
}

function unsentTable(unsent: readonly UnsentMail[]): Html {
  const columns = [
    { title: 'To' },
    { title: 'Subject' },
    { title: 'Attempts', number: true },
    { title: 'Next attempt' },
    { title: 'Why' },
  ];
  const rows = unsent.map(({ to, subject, attempts, nextAttemptAt, lastError }) => [
    to,
    subject,
    attempts,
    nextAttemptAt ? moment(nextAttemptAt) : 'given up',
    lastError ?? '',
  ]);
  return html`<h2>Not sent yet</h2>
<p>Move the clock forward to see the next attempt at once.</p>
${table({ label: 'Mails that were not sent yet', columns }, rows)}`;
}

function moment(at: Date): Html {
  const time = at.toISOString();
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)} UTC</time>`;
}

/** The text, every character escaped, with its addresses to click on. */
function withLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: link, index } of text.matchAll(LINK)) {
    pieces.push(text.slice(from, index), html`<a href="${link}">${link}</a>`);
    from = index + link.length;
  }
  return [...pieces, text.slice(from)];
}
