import { composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';

type Details = {
  readonly to: string;
  readonly registrar: string;
  readonly endpoint: string;
  readonly host: string;
  readonly reason: string;
};

/** To a registrar whose endpoint was disabled: by another way than the one that does not work. */
export function webhookMail({ to, registrar, endpoint, host, reason }: Details): Mail {
  return composeMail({
    to,
    about: [],
    subject: {
      et: `Veebihaak ${endpoint} on välja lülitatud`,
      en: `Webhook endpoint ${endpoint} was disabled`,
    },
    paragraphs: {
      et: [
        `Registripidaja ${registrar} veebihaak ${endpoint} (${host}) on välja lülitatud: ${reason}.`,
        'Sündmusi sellele aadressile enam ei saadeta. Registri teated on endiselt loetavad. Kui aadress töötab, lülitage veebihaak uuesti sisse ja laske ebaõnnestunud sündmused uuesti saata.',
      ],
      en: [
        `Webhook endpoint ${endpoint} (${host}) of registrar ${registrar} was disabled: ${reason}.`,
        'No more events are sent to it. The poll messages of the registry can be read as before. Once the address works, enable the endpoint and have the failed events sent again.',
      ],
    },
  });
}
