import type { Command } from 'commander';
import { policy } from '../../policy/installed.ts';
import { isEmail, isPhone } from '../../registry/contacts/contact-fields.ts';
import type { PublicContact } from '../../registry/registrars/registrars.ts';
import { CommandError } from './output.ts';

export type PublicContactOptions = {
  readonly phone?: string;
  readonly abuseEmail?: string;
  readonly abusePhone?: string;
};

export const withPublicContact = (command: Command): Command =>
  command
    .option('--phone <number>', 'shown to everybody, such as +372.6123456; none for no number')
    .option('--abuse-email <address>', 'where everybody can report abuse; none for nowhere')
    .option('--abuse-phone <number>', 'the same by phone; none for nowhere');

/** What of it was given; null where it is removed. */
export function readPublicContact({
  phone,
  abuseEmail,
  abusePhone,
}: PublicContactOptions): Partial<PublicContact> {
  return {
    ...(phone !== undefined && { phone: phoneOf('--phone', phone) }),
    ...(abuseEmail !== undefined && { abuseEmail: emailOf('--abuse-email', abuseEmail) }),
    ...(abusePhone !== undefined && { abusePhone: phoneOf('--abuse-phone', abusePhone) }),
  };
}

function phoneOf(option: string, text: string): string | null {
  if (text === 'none') return null;
  if (!isPhone(text, policy))
    throw new CommandError(`${option} is a phone number such as +372.6123456, or the word none.`);
  return text;
}

function emailOf(option: string, text: string): string | null {
  if (text === 'none') return null;
  if (!isEmail(text, policy)) throw new CommandError(`${option} is an e-mail address, or the word none.`);
  return text;
}
