import { type Bilingual, composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';

type ConfirmationDetails = {
  readonly domain: string;
  readonly sender: string;
  readonly language: keyof Bilingual<unknown>;
  readonly link: string;
  readonly until: Bilingual<string>;
};

/**
 * Asks the sender of a message to a registrant to confirm it. It has no word of the form: anyone who fills that in can name
 * any address as the sender's.
 */
export function confirmMessageMail({ domain, sender, language, link, until }: ConfirmationDetails): Mail {
  return composeMail({
    to: sender,
    about: [domain],
    language,
    subject: {
      et: `Palun kinnitage oma kiri domeeni ${domain} registreerijale`,
      en: `Please confirm your message to the registrant of ${domain}`,
    },
    paragraphs: {
      et: [
        'Tere!',
        `Registri otsingulehel kirjutati domeeni ${domain} registreerijale kiri ja saatjaks märgiti see e-posti aadress.`,
        `Kui kirja kirjutasite Teie, avage link, lugege kiri üle ja saatke see ära hiljemalt ${until.et}. Ilma selleta kirja ei edastata.`,
        'Kui see ei olnud Teie, ei pea Te midagi tegema.',
      ],
      en: [
        'Dear sender,',
        `a message to the registrant of the domain ${domain} was written on the look-up page of the registry, with this e-mail address as its sender.`,
        `If you wrote it, open the link, read the message once more and send it by ${until.en}. Otherwise it is not forwarded.`,
        'If it was not you, you need not do anything.',
      ],
    },
    link,
  });
}

type ForwardedMessage = {
  readonly domain: string;
  readonly registrantEmail: string;
  readonly senderName: string;
  readonly senderEmail: string;
  readonly message: string;
};

/** Takes a confirmed message to the registrant. An answer goes to the sender. */
export function forwardedMessageMail(forwarded: ForwardedMessage): Mail {
  const { domain, registrantEmail, senderName, senderEmail, message } = forwarded;
  return composeMail({
    to: registrantEmail,
    replyTo: senderEmail,
    about: [domain, senderEmail],
    subject: {
      et: `Kiri domeeni ${domain} registreerijale`,
      en: `A message to the registrant of ${domain}`,
    },
    paragraphs: {
      et: [
        `Teile kui domeeni ${domain} registreerijale kirjutati registri otsingulehe kaudu. Saatja kinnitas oma aadressi ${senderEmail}.`,
        'Teie aadressi saatjale ei näidatud. Kui vastate sellele kirjale, läheb vastus saatjale ja saatja näeb Teie aadressi.',
        'Register ei ole kirja sisu koostanud ega kontrollinud. Saatja märgitud nimi, mida ei ole kontrollitud, ja kiri on allpool.',
      ],
      en: [
        `Somebody wrote to you, the registrant of the domain ${domain}, through the look-up page of the registry. The sender confirmed the address ${senderEmail}.`,
        'Your address was not shown to the sender. If you answer this mail, the answer goes to the sender, who then sees your address.',
        'The registry has neither written nor checked the message. It stands below, after the name that the sender gave, which was not checked either.',
      ],
    },
    quotation: `${senderName}:\n\n${message}`,
  });
}
