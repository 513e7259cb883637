import { normaliseText } from '../../platform/values/normalise-text.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Email, isEmail } from '../contacts/contact-fields.ts';

export const MAX_SENDER_NAME = 100;
export const MIN_MESSAGE = 10;
export const MAX_MESSAGE = 2_000;

/** A message as somebody has written it into a form. */
export type MessageText = {
  readonly senderName: string;
  readonly senderEmail: string;
  readonly message: string;
};
export type MessageField = keyof MessageText;
export type MessageFault = 'missing' | 'tooLong' | 'tooShort' | 'wrong';
export type MessageFaults = Partial<Readonly<Record<MessageField, MessageFault>>>;

declare const checked: unique symbol;
export type MessageFields = {
  readonly senderName: string;
  readonly senderEmail: Email;
  readonly message: string;
  readonly [checked]: 'message';
};

type Checked =
  | { readonly value: MessageFields; readonly faults?: never }
  | { readonly faults: MessageFaults; readonly value?: never };

/** Characters that end a line, control the text around them or cannot be stored; within a message a line may end. */
const CONTROL = /[^\P{C}\n]|[\u2028\u2029]/gu;

/** Checks every field and returns all faults. */
export function parseMessage(text: MessageText, policy: Policy): Checked {
  const senderName = text.senderName.trim();
  // Mailboxes that differ by case only do not exist in practice, and would have limits of their own.
  const senderEmail = text.senderEmail.trim().toLowerCase();
  const message = normaliseText(text.message.replaceAll('\r\n', '\n'), MAX_MESSAGE)
    ?.replace(CONTROL, ' ')
    .trim();
  const faults: MessageFaults = {
    ...faultOf('senderName', checkSenderName(senderName, policy)),
    ...faultOf('senderEmail', checkSenderEmail(senderEmail, policy)),
    ...faultOf('message', checkMessage(message)),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { value: { senderName, senderEmail, message } as MessageFields };
}

const faultOf = (field: MessageField, fault: MessageFault | undefined): MessageFaults =>
  fault === undefined ? {} : { [field]: fault };

function checkSenderName(name: string, { contacts }: Policy): MessageFault | undefined {
  if (name === '') return 'missing';
  const normal = normaliseText(name, MAX_SENDER_NAME);
  if (normal === undefined) return name.length > MAX_SENDER_NAME ? 'tooLong' : 'wrong';
  return contacts.forbiddenAnywhere.test(name) || name.search(CONTROL) >= 0 || name.includes('\n')
    ? 'wrong'
    : undefined;
}

function checkSenderEmail(email: string, policy: Policy): MessageFault | undefined {
  if (email === '') return 'missing';
  return isEmail(email, policy) ? undefined : 'wrong';
}

function checkMessage(message: string | undefined): MessageFault | undefined {
  if (message === undefined) return 'tooLong';
  if (message === '') return 'missing';
  return message.length < MIN_MESSAGE ? 'tooShort' : undefined;
}
