import {
  MAX_MESSAGE,
  MAX_SENDER_NAME,
  type MessageFaults,
  type MessageField,
  type MessageText,
} from '../../../registry/lookup/message-fields.ts';
import type { ShownMessage } from '../../../registry/lookup/registrant-messages.ts';
import { factList } from '../../html/fact-list.ts';
import { type Field, faultSummary, field } from '../../html/form.ts';
import { isolated, timeIn } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { framed, type LookupSetting, lookupAddress, mailLink, textsIn } from './lookup-frame.ts';
import type { MessageRefusal } from './lookup-texts.ts';

const CONTROLS: Readonly<Record<MessageField, Pick<Field, 'type' | 'autocomplete' | 'maxLength' | 'lines'>>> =
  {
    senderName: { autocomplete: 'name', maxLength: MAX_SENDER_NAME },
    senderEmail: { type: 'email', autocomplete: 'email', maxLength: 255 },
    message: { lines: 8, maxLength: MAX_MESSAGE },
  };
const FIELDS: readonly MessageField[] = ['senderName', 'senderEmail', 'message'];

type FilledForm = {
  readonly text?: MessageText;
  readonly faults?: MessageFaults;
  readonly refusal?: MessageRefusal;
};

/** The form, with what was written into it before and what is wrong with that. */
export function messageForm(
  domain: string,
  { text, faults = {}, refusal }: FilledForm,
  setting: LookupSetting,
): string {
  const { lang, policy } = setting;
  const { message: texts } = textsIn(lang);
  const fields = FIELDS.map((name): Field => {
    const fault = faults[name];
    return {
      name,
      label: texts.labels[name],
      hint: texts.hints[name],
      value: text?.[name],
      ...CONTROLS[name],
      fault: fault && texts.faults[name][fault],
    };
  });
  const heading = texts.heading(domain);
  const rules = texts.rules(policy.lookup.messageHours, policy.lookup.messageDays);
  // Checked here and not by the browser, whose words would be in its own language.
  const body = html`<p class="lead">${texts.lead}</p>
<ul class="means">${rules.map((rule) => html`<li>${rule}</li>`)}</ul>
${refusal && html`<div class="outcome failed" role="alert"><p>${texts.refused[refusal]}</p></div>\n`}${faultSummary(texts.faultHeading, fields)}<form method="post" action="${lookupAddress('/contact', lang, { name: domain })}" novalidate>
${fields.map(field)}<div class="decision"><button class="confirm">${texts.submit}</button></div>
</form>`;
  const title = refusal || Object.keys(faults).length > 0 ? `${texts.faultTitle}: ${heading}` : heading;
  return framed({ title, heading, body, query: { name: domain } }, setting);
}

/** The same whether or not a limit was reached. */
export function messageSentPage(setting: LookupSetting): string {
  const { lang, policy } = setting;
  const { message: texts, back } = textsIn(lang);
  const [heading, ...advice] = texts.sent;
  const { messageHours, messagesPerSender, messagesPerDomain } = policy.lookup;
  const values = { hours: messageHours, perSender: messagesPerSender, perDomain: messagesPerDomain };
  const [first, ...further] = advice.map((text) => text(values));
  const body = html`<p class="lead">${first}</p>
${further.map((text) => html`<p>${text}</p>\n`)}<p><a href="${lookupAddress('', lang)}">${back}</a></p>`;
  return framed({ title: heading, heading, body }, setting);
}

/** What the link in the sender's mail shows. Opening it forwards nothing. */
export function messagePage(message: ShownMessage, setting: LookupSetting): string {
  const { lang, policy } = setting;
  const { message: texts, back } = textsIn(lang);
  const { facts: labels } = texts;
  const { state } = message;
  const heading = texts.confirmHeading(message.domain);
  const title = heading;
  if (state !== 'open') {
    const [what, advice] = texts.outcome[state];
    const colour = state === 'forwarded' ? 'confirmed' : 'lapsed';
    const facts = factList([
      [labels.domain, isolated(message.domain)],
      [labels.written, timeIn(lang, message.createdAt, policy)],
      [labels.validUntil, state === 'later' && timeIn(lang, message.expiresAt, policy)],
    ]);
    const body = html`<div class="outcome ${colour} names"><p>${what}</p><p>${advice}</p></div>
${facts}<p><a href="${lookupAddress('', lang)}">${back}</a></p>`;
    return framed({ title, heading, body }, setting);
  }
  const facts = factList([
    [labels.domain, isolated(message.domain)],
    [labels.from, html`${isolated(message.senderName)}, ${mailLink(message.senderEmail)}`],
    [labels.validUntil, timeIn(lang, message.expiresAt, policy)],
  ]);
  // Without an action the form is submitted to the address of the page, so that the token is not repeated in it.
  const body = html`<p class="lead">${texts.confirmLead}</p>
${facts}<h2>${labels.text}</h2>
<p class="quoted"><bdi>${message.message}</bdi></p>
<form class="decision" method="post"><button class="confirm">${texts.forward}</button></form>`;
  return framed({ title, heading, body }, setting);
}
