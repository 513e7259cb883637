import { type Bilingual, composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';

type Details = {
  readonly to: string;
  /** Undefined where it is unknown: the mail has both. */
  readonly language: keyof Bilingual<unknown> | undefined;
  readonly registrar: string;
  readonly username: string;
  /** Why the request was refused; null if it was signed. */
  readonly refusal: string | null;
  /** The page of the user in the console. */
  readonly link: string;
};

/** The registry's decision on a certificate request that was made in the console. */
export function certificateRequestMail({ to, language, link, ...decided }: Details): Mail {
  return composeMail({
    to,
    about: [],
    link,
    ...(language && { language }),
    ...(decided.refusal === null ? signedTexts(decided) : refusedTexts(decided, decided.refusal)),
  });
}

type Texts = {
  readonly subject: Bilingual<string>;
  readonly paragraphs: Bilingual<readonly string[]>;
};
type Subject = Pick<Details, 'registrar' | 'username'>;

const signedTexts = ({ registrar, username }: Subject): Texts => ({
  subject: {
    et: `Kasutaja ${username} sertifikaadipäring on allkirjastatud`,
    en: `The certificate request of user ${username} was signed`,
  },
  paragraphs: {
    et: [
      `Register allkirjastas registripidaja ${registrar} kasutaja ${username} sertifikaadipäringu.`,
      'Sertifikaadi saab alla laadida registripidajate konsoolist, kasutaja lehelt:',
    ],
    en: [
      `The registry signed the certificate request of user ${username} of registrar ${registrar}.`,
      'The certificate can be downloaded in the registrars’ console, on the page of the user:',
    ],
  },
});

const refusedTexts = ({ registrar, username }: Subject, reason: string): Texts => ({
  subject: {
    et: `Kasutaja ${username} sertifikaadipäring on tagasi lükatud`,
    en: `The certificate request of user ${username} was refused`,
  },
  paragraphs: {
    et: [
      `Register lükkas registripidaja ${registrar} kasutaja ${username} sertifikaadipäringu tagasi. Põhjus: ${reason}`,
      'Uue päringu saab saata registripidajate konsoolis, kasutaja lehel:',
    ],
    en: [
      `The registry refused the certificate request of user ${username} of registrar ${registrar}. The reason: ${reason}`,
      'Another request can be sent in the registrars’ console, on the page of the user:',
    ],
  },
});
