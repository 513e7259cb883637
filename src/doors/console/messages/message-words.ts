import { fillIn, readFilled } from '../../../platform/values/placeholders.ts';
import { parseDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { type MessageKind, messageKinds, type MessageType } from '../../../registry/poll/send-messages.ts';
import { amountIn } from '../../html/amount-in.ts';
import { dayIn, momentText, monthIn } from '../../html/language.ts';
import type { Language } from '../../html/layout.ts';
import { ownStatusWords } from '../domains/own-statuses.ts';
import { englishMessages } from './english-message-texts.ts';
import { estonianMessages } from './estonian-message-texts.ts';
import { readPhrase, readRefusal } from './message-phrases.ts';

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
  if (!values) return { text, lang: 'en', subject };
  const written = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      wordsOf({ type, name, value, values }, lang, policy),
    ]),
  );
  return { text: fillIn(formIn(type, form, lang), written), lang, subject };
}

/** An amount is written with its currency. */
const formIn = (type: MessageType, form: string, lang: Language): string =>
  lang === 'et' ? estonianMessages[type] : (englishMessages[type] ?? form).replaceAll('} {currency}', '}');

type Place = {
  readonly type: MessageType;
  readonly name: string;
  readonly value: string;
  /** Of all places. */
  readonly values: Readonly<Record<string, string>>;
};

function wordsOf({ type, name, value, values }: Place, lang: Language, policy: Policy): string {
  if (name === 'status') return ownStatusWords(lang, value)?.title ?? value;
  // What somebody is called stays, also where it reads like something else.
  if (NAMES.has(name)) return value;
  const refused = name === 'reason' && REFUSED.has(type) ? readRefusal(value, lang) : undefined;
  if (refused !== undefined) return refused;
  const phrase = readPhrase(value, lang);
  if (!phrase) return valueIn(lang, value, values.currency, policy);
  const inPhrase = Object.entries(phrase.values).map(([place, each]) => [
    place,
    valueIn(lang, each, undefined, policy),
  ]);
  return fillIn(phrase.text, Object.fromEntries(inPhrase));
}

/** Their reason is a refusal. */
const REFUSED: ReadonlySet<MessageType> = new Set(['update_failed', 'deletion_failed']);
const NAMES: ReadonlySet<string> = new Set([
  'name',
  'code',
  'number',
  'username',
  'registrar',
  'registrant',
  'serial',
  'endpoint',
]);

const DAY = /^\d{4}-\d\d-\d\d$/;
const MONTH = /^\d{4}-\d\d$/;
/** As a context in human-readable form has it, in the registry's zone. */
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

function valueIn(lang: Language, value: string, currency: string | undefined, policy: Policy): string {
  const cents = currency === undefined ? undefined : parseDecimal(value);
  if (cents !== undefined)
    return currency === policy.currency ? amountIn(lang, cents, currency) : `${value} ${currency}`;
  const [, day, time] = LOCAL_TIME.exec(value) ?? [];
  if (day !== undefined) return `${dayIn(lang, day)} ${time}`;
  if (DAY.test(value)) return dayIn(lang, value);
  if (MONTH.test(value)) return monthIn(lang, value);
  if (TIME.test(value)) return momentText(lang, new Date(value), policy);
  return value;
}
