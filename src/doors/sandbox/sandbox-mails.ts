import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Mailer } from '../../platform/mail/enqueue-mails.ts';
import type { SentMail, UnsentMail } from '../../platform/mail/mail-view.ts';
import { type Html, type HtmlValue, html, page } from '../html/layout.ts';
import { HTML, sendPage } from '../html/page-answer.ts';
import { table } from '../html/table.ts';
import { acceptsPage } from '../http/negotiation.ts';
import type { Fault, Faults } from './faults.ts';
import { LINK, linksIn } from './links-in-mails.ts';

export type MailPowers = {
  /** Sends due mails, then lists the newest sent ones and the unsent ones. */
  readonly mails: (most: number) => Promise<Mails>;
  readonly sentMail: (id: number) => Promise<SentMail | undefined>;
};

const MAX_IN_JSON = 1_000;
const MAX_ON_PAGE = 100;

/** A mail may have its own styles and links, but runs, loads and submits nothing. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // A link may open another window, in which an ordinary page is not sandboxed.
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** The mails of the sandbox: JSON for scripts, a page for people, and each mail as its recipient sees it. */
export function mailRoutes(app: FastifyInstance, { mails, sentMail }: MailPowers): void {
  app.get('/sandbox/mail', async (request, reply) => {
    reply.header('vary', 'accept');
    if (acceptsPage(request.headers.accept)) return sendPage(reply, mailPage(await mails(MAX_ON_PAGE)));
    const { sent } = await mails(MAX_IN_JSON);
    return sent.map(inJson);
  });

  app.get('/sandbox/mail/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const mail = /^\d{1,15}$/.test(id) ? await sentMail(Number(id)) : undefined;
    if (!mail) return reply.code(404).send({ error: 'There is no such mail.' });
    return reply.header('content-security-policy', MAIL_POLICY).type(HTML).send(mail.html);
  });
}

const inJson = ({ to, subject, text, html, replyTo, sentAt }: SentMail) => ({
  to,
  ...(replyTo !== null && { reply_to: replyTo }),
  subject,
  text,
  html,
  sent_at: sentAt.toISOString(),
  links: linksIn(text),
});

export type Mails = { readonly sent: readonly SentMail[]; readonly unsent: readonly UnsentMail[] };

/** Sent and unsent mails, for a person who follows the link of a mail. */
function mailPage({ sent, unsent }: Mails): string {
  return page({
    title: 'Mails of the sandbox',
    lang: 'en',
    badge: 'Sandbox',
    links: [{ text: 'API reference', href: '/docs' }],
    body: html`<h1>Mails</h1>
<p class="lead">What a registrant or a registrar would find in the inbox, the newest first. No mail leaves this machine.</p>
${unsent.length > 0 && unsentTable(unsent)}
${sent.length > 0 ? sent.map(mailArticle) : html`<p>No mail was sent yet.</p>`}`,
  });
}

function mailArticle({ id, to, replyTo, subject, text, sentAt }: SentMail): Html {
  return html`<article>
<h2>${subject}</h2>
<dl class="facts"><div><dt>To</dt><dd>${to}</dd></div>${replyTo !== null && html`<div><dt>Answers go to</dt><dd>${replyTo}</dd></div>`}<div><dt>Sent</dt><dd>${moment(sentAt)}</dd></div></dl>
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

/** The escaped text with clickable links. */
function withLinks(text: string): HtmlValue[] {
  const pieces: HtmlValue[] = [];
  let from = 0;
  for (const { 0: link, index } of text.matchAll(LINK)) {
    pieces.push(text.slice(from, index), html`<a href="${link}">${link}</a>`);
    from = index + link.length;
  }
  return [...pieces, text.slice(from)];
}

const SLOW_MS = 5_000;

/** Sends nothing outside the sandbox: sent mails are shown at /sandbox/mail. */
export function sandboxMailer(faults: Faults): Mailer {
  return { send: () => runInto(faults.next('mail')) };
}

async function runInto(fault: Fault | undefined): Promise<void> {
  if (fault === 'slow') await sleep(SLOW_MS);
  if (fault === 'down')
    throw Object.assign(new Error('connect ECONNREFUSED (a fault of the sandbox)'), { code: 'ECONNREFUSED' });
  if (fault === 'error')
    throw Object.assign(new Error('451 Local error (a fault of the sandbox)'), { responseCode: 451 });
}
