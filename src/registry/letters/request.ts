import { type InBoth, letter } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { ContactInfo, Domain } from '../domains/domain.ts';

type Asked = {
  readonly domain: Domain;
  readonly registrar: string;
  readonly link: string;
  readonly until: InBoth<string>;
};

/** Asks the registrant whether the domain shall have another one. */
export function askAboutNewRegistrant({
  domain: { name, registrant },
  registrar,
  link,
  until,
  newRegistrant,
}: Asked & { readonly newRegistrant: ContactInfo }): Mail {
  return letter({
    to: registrant.email,
    about: [name],
    subject: {
      et: `Domeeni ${name} registreerija vahetus vajab kinnitust`,
      en: `Please confirm the new registrant of ${name}`,
    },
    paragraphs: {
      et: [
        `Tere, ${registrant.name}!`,
        `Registripidaja ${registrar} soovib, et domeeni ${name} uus registreerija oleks ${newRegistrant.name}.`,
        `Palun kinnitage see või keelduge hiljemalt ${until.et}. Ilma vastuseta jääb kõik nii, nagu on.`,
      ],
      en: [
        `Dear ${registrant.name},`,
        `the registrar ${registrar} asks that ${newRegistrant.name} become the registrant of the domain ${name}.`,
        `Please confirm or reject this by ${until.en}. Without an answer everything stays as it is.`,
      ],
    },
    link,
  });
}

/** Tells the new registrant that the present one was asked; it holds no link. */
export function tellNewRegistrant({
  domain: { name },
  registrar,
  newRegistrant,
}: Pick<Asked, 'domain' | 'registrar'> & { readonly newRegistrant: ContactInfo }): Mail {
  return letter({
    to: newRegistrant.email,
    about: [name],
    subject: { et: `Domeeni ${name} registreerija vahetus`, en: `New registrant of ${name}` },
    paragraphs: {
      et: [
        `Tere, ${newRegistrant.name}!`,
        `Registripidaja ${registrar} soovib teha Teist domeeni ${name} registreerija. Praegune registreerija peab selle kinnitama; Teie ei pea midagi tegema.`,
      ],
      en: [
        `Dear ${newRegistrant.name},`,
        `the registrar ${registrar} asks to make you the registrant of the domain ${name}. Its present registrant has to confirm this; you need not do anything.`,
      ],
    },
  });
}

/** Asks the registrant whether the domain shall be deleted. */
export function askAboutDeletion({ domain: { name, registrant }, registrar, link, until }: Asked): Mail {
  return letter({
    to: registrant.email,
    about: [name],
    subject: {
      et: `Domeeni ${name} kustutamine vajab kinnitust`,
      en: `Please confirm the deletion of ${name}`,
    },
    paragraphs: {
      et: [
        `Tere, ${registrant.name}!`,
        `Registripidaja ${registrar} soovib kustutada Teie domeeni ${name}.`,
        `Palun kinnitage see või keelduge hiljemalt ${until.et}. Ilma vastuseta domeeni ei kustutata.`,
      ],
      en: [
        `Dear ${registrant.name},`,
        `the registrar ${registrar} asks to delete your domain ${name}.`,
        `Please confirm or reject this by ${until.en}. Without an answer the domain is not deleted.`,
      ],
    },
    link,
  });
}
