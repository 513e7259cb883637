import { type Bilingual, composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';

type Details = {
  readonly to: string;
  readonly language: keyof Bilingual<unknown>;
  readonly registrar: string;
  readonly link: string;
  readonly until: Bilingual<string>;
};

/** To somebody who is invited to work for a registrar in the console. */
export function invitationMail({ to, language, registrar, link, until }: Details): Mail {
  return composeMail({
    to,
    about: [],
    language,
    subject: {
      et: `Kutse registripidajate konsooli: ${registrar}`,
      en: `Invitation to the registrars’ console: ${registrar}`,
    },
    paragraphs: {
      et: [
        'Tere!',
        `Teid on kutsutud tegutsema registripidajate konsoolis registripidaja ${registrar} nimel.`,
        `Avage link ja võtke kutse vastu hiljemalt ${until.et}. Link töötab ühe korra; ärge saatke seda edasi.`,
        'Kui Te kutset ei oodanud, ei pea Te midagi tegema.',
      ],
      en: [
        'Hello,',
        `you are invited to work for the registrar ${registrar} in the registrars’ console.`,
        `Open the link and accept the invitation by ${until.en}. The link works once; do not forward it.`,
        'If you did not expect an invitation, you need not do anything.',
      ],
    },
    link,
  });
}
