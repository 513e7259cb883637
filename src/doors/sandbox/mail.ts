import type { FastifyInstance } from 'fastify';
import type { SentMail } from '../../platform/mail/mail-view.ts';
import { acceptsPage } from '../http/negotiation.ts';
import { HTML, sendPage } from '../pages/answer.ts';
import { linksIn } from './links.ts';
import { type Mails, mailPage } from './mail-page.ts';

export type MailPowers = {
  /** Sends what is due, then tells of the newest that were sent and of what was not. */
  readonly mails: (most: number) => Promise<Mails>;
  readonly sentMail: (id: number) => Promise<SentMail | undefined>;
};

const MOST_IN_JSON = 1_000;
const MOST_ON_PAGE = 100;

/** A mail may have styles of its own, and links. It runs nothing, loads nothing and sends nothing. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // A link may open another window, and what it leads to is an ordinary page.
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** The mails of the sandbox: a list for scripts, a page for people, and each mail as its recipient sees it. */
export function mailRoutes(app: FastifyInstance, { mails, sentMail }: MailPowers): void {
  app.get('/sandbox/mail', async (request, reply) => {
    reply.header('vary', 'accept');
    if (acceptsPage(request.headers.accept)) return sendPage(reply, mailPage(await mails(MOST_ON_PAGE)));
    const { sent } = await mails(MOST_IN_JSON);
    return sent.map(inJson);
  });

  app.get('/sandbox/mail/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const mail = /^\d{1,15}$/.test(id) ? await sentMail(Number(id)) : undefined;
    if (!mail) return reply.code(404).send({ error: 'There is no such mail.' });
    return reply.header('content-security-policy', MAIL_POLICY).type(HTML).send(mail.html);
  });
}

const inJson = ({ to, subject, text, html, sentAt }: SentMail) => ({
  to,
  subject,
  text,
  html,
  sent_at: sentAt.toISOString(),
  links: linksIn(text),
});
