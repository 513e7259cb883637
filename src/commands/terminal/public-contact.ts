import type { Command } from 'commander';
import type { PublicContact } from '../../registry/registrars/registrar-details.ts';

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
export function readPublicContact(options: PublicContactOptions): Partial<PublicContact> {
  const { phone, abuseEmail, abusePhone } = options;
  return {
    ...(phone !== undefined && { phone: textOf(phone) }),
    ...(abuseEmail !== undefined && { abuseEmail: textOf(abuseEmail) }),
    ...(abusePhone !== undefined && { abusePhone: textOf(abusePhone) }),
  };
}

const textOf = (given: string): string | null => (given === 'none' ? null : given);
