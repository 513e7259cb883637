import { fillIn, readFilled } from '../../../platform/values/placeholders.ts';
import { parseDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { type MessageKind, messageKinds, type MessageType } from '../../../registry/poll/send-messages.ts';
import { amountIn } from '../../html/amount-in.ts';
import { dayIn, momentText, monthIn } from '../../html/language.ts';
import type { Language } from '../../html/layout.ts';
import { estonianMessages } from './estonian-message-texts.ts';

type Stored = { readonly type: MessageType; readonly text: string };
export type MessageWords = {
  readonly text: string;
  /** Of the text: the stored one is English. */
  readonly lang: Language;
  /** What it is about, to tell it from others of its type; empty where nothing is named. */
  readonly subject: string;
};

/** A message in the reader's language, composed of what its stored text tells; that text itself where it is of another form. */
export function messageWords({ type, text }: Stored, lang: Language, policy: Policy): MessageWords {
  const { text: form }: MessageKind = messageKinds[type];
  const values = readFilled(form, text);
  const subject = values?.name ?? values?.code ?? values?.number ?? values?.username ?? '';
  if (lang !== 'et' || !values) return { text, lang: 'en', subject };
  const written = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueIn(lang, value, values.currency, policy)]),
  );
  return { text: fillIn(estonianMessages[type], written), lang, subject };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MONTH = /^\d{4}-\d\d$/;
/** As a context in human-readable form has it, in the registry's zone. */
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

function valueIn(lang: Language, value: string, currency: string | undefined, policy: Policy): string {
  const cents = currency === undefined ? undefined : parseDecimal(value);
  if (cents !== undefined && currency === policy.currency) return amountIn(lang, cents, currency);
  const [, day, time] = LOCAL_TIME.exec(value) ?? [];
  if (day !== undefined) return `${dayIn(lang, day)} ${time}`;
  if (DAY.test(value)) return dayIn(lang, value);
  if (MONTH.test(value)) return monthIn(lang, value);
  if (TIME.test(value)) return momentText(lang, new Date(value), policy);
  return value;
}
