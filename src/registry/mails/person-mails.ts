import { type Bilingual, composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';

type Recipient = { readonly to: string; readonly language: keyof Bilingual<unknown> };

/** The link with which somebody who has forgotten the password sets another one. */
export const recoveryMail = ({
  to,
  language,
  link,
  until,
}: Recipient & { readonly link: string; readonly until: Bilingual<string> }): Mail =>
  composeMail({
    to,
    about: [],
    language,
    subject: {
      et: 'Uus parool registripidajate konsoolile',
      en: 'Set a new password for the registrars’ console',
    },
    paragraphs: {
      et: [
        'Tere!',
        `Keegi palus selle aadressi kontole uut parooli. Kui see olite Teie, avage link hiljemalt ${until.et}. Link töötab ühe korra; ärge saatke seda edasi.`,
        'Kui see ei olnud Teie, ei pea Te midagi tegema: Teie parool jääb samaks.',
      ],
      en: [
        'Hello,',
        `somebody asked for a new password for the account with this address. If it was you, open the link by ${until.en}. It works once; do not forward it.`,
        'If it was not you, you need not do anything: your password stays as it is.',
      ],
    },
    link,
  });

/** Tells somebody that the password was set by such a link. */
export const passwordRecoveredMail = ({ to, language }: Recipient): Mail =>
  composeMail({
    to,
    about: [],
    language,
    subject: {
      et: 'Teie parool registripidajate konsoolis on muudetud',
      en: 'Your password for the registrars’ console was changed',
    },
    paragraphs: {
      et: [
        'Tere!',
        'Teie konto parool muudeti kirjaga saadetud lingi kaudu. Kõik seansid on lõpetatud; teine autentimisviis jäi samaks.',
        'Kui see ei olnud Teie, pöörduge kohe oma administraatori või registri poole ja muutke oma postkasti parooli.',
      ],
      en: [
        'Hello,',
        'the password of your account was changed with a link that was sent by mail. All sessions have ended; your second factor is as it was.',
        'If it was not you, tell your administrator or the registry at once, and change the password of your mailbox.',
      ],
    },
  });

/** Tells somebody that an administrator has reset the second factor. */
export const factorsResetMail = ({
  to,
  language,
  registrar,
  by,
}: Recipient & { readonly registrar: string; readonly by: string }): Mail =>
  composeMail({
    to,
    about: [],
    language,
    subject: {
      et: 'Teie teine autentimisviis registripidajate konsoolis on lähtestatud',
      en: 'Your second factor for the registrars’ console was reset',
    },
    paragraphs: {
      et: [
        'Tere!',
        `${by} (${registrar}) eemaldas Teie konto autentimisrakenduse, pääsuvõtmed, taastekoodid ja seotud identiteedi. Kõik seansid on lõpetatud; parool jäi samaks.`,
        'Logige sisse ja seadistage teine autentimisviis uuesti. Kui Te seda ei palunud, pöörduge kohe oma administraatori või registri poole.',
      ],
      en: [
        'Hello,',
        `${by} of ${registrar} removed the authenticator app, passkeys, recovery codes and linked identity of your account. All sessions have ended; your password is as it was.`,
        'Log in and set up a second factor again. If you did not ask for this, tell your administrator or the registry at once.',
      ],
    },
  });
