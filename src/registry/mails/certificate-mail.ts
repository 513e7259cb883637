import { composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';

type Details = {
  readonly to: string;
  readonly registrar: string;
  readonly username: string;
  readonly serial: string;
  readonly validUntil: Date;
};

/** To a registrar whose certificate expires soon. */
export function certificateMail({ to, registrar, username, serial, validUntil }: Details): Mail {
  const until = validUntil.toISOString();
  return composeMail({
    to,
    about: [],
    subject: {
      et: `Kasutaja ${username} sertifikaat aegub`,
      en: `The certificate of user ${username} expires`,
    },
    paragraphs: {
      et: [
        `Registripidaja ${registrar} kasutaja ${username} sertifikaat ${serial} kehtib kuni ${until}.`,
        'Saatke registrile uus sertifikaadipäring. Vana ja uus sertifikaat kehtivad kõrvuti, kuni vana aegub.',
      ],
      en: [
        `Certificate ${serial} of user ${username} of registrar ${registrar} is valid until ${until}.`,
        'Send the registry a new certificate request. The old and the new certificate are both valid until the old one expires.',
      ],
    },
  });
}
