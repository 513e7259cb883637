import { type Bilingual, composeMail } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/enqueue-mails.ts';
import type { Policy } from '../../policy/policy.ts';
import { type ContactInfo, type Domain, type ForceDelete, lastDayOf } from '../domains/domain.ts';
import { formatLocalTime } from '../domains/rules/periods.ts';

/** A mail about a domain, and as what of it the recipient gets it. */
export type DomainMail = Mail & { readonly role: 'registrant' | 'new registrant' | 'admin' };

type ConfirmationDetails = {
  readonly domain: Domain;
  readonly registrar: string;
  readonly link: string;
  readonly until: Bilingual<string>;
};

/** Asks the registrant to confirm a change of registrant. */
export function confirmNewRegistrantMail({
  domain: { name, registrant },
  registrar,
  link,
  until,
  newRegistrant,
}: ConfirmationDetails & { readonly newRegistrant: ContactInfo }): DomainMail {
  const mail = composeMail({
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
  return { ...mail, role: 'registrant' };
}

/** Notifies the new registrant that confirmation was requested; contains no link. */
export function newRegistrantMail({
  domain: { name },
  registrar,
  newRegistrant,
}: Pick<ConfirmationDetails, 'domain' | 'registrar'> & { readonly newRegistrant: ContactInfo }): DomainMail {
  const mail = composeMail({
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
  return { ...mail, role: 'new registrant' };
}

/** Asks the registrant to confirm a deletion. */
export function confirmDeletionMail({
  domain: { name, registrant },
  registrar,
  link,
  until,
}: ConfirmationDetails): DomainMail {
  const mail = composeMail({
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
  return { ...mail, role: 'registrant' };
}

/** Registrant and admin contacts, each address once. */
const readersOf = ({ registrant, contacts }: Domain): Map<string, DomainMail['role']> => {
  const admins = contacts.filter(({ role, email }) => role === 'admin' && email !== registrant.email);
  return new Map([[registrant.email, 'registrant'], ...admins.map(({ email }) => [email, 'admin'] as const)]);
};

const toAll = (
  domain: Domain,
  subject: Bilingual<string>,
  paragraphs: Bilingual<readonly string[]>,
): DomainMail[] =>
  [...readersOf(domain)].map(([to, role]) => ({
    ...composeMail({ to, about: [domain.name], subject, paragraphs }),
    role,
  }));

export function expiryReminderMails(
  domain: Domain,
  days: { expired: string; outzone: string; deletion: string },
): DomainMail[] {
  const { name } = domain;
  const renewable = !('serverRenewProhibited' in domain.statuses);
  return toAll(
    domain,
    { et: `Domeen ${name} on aegunud`, en: `The domain ${name} has expired` },
    {
      et: [
        `Domeen ${name} aegus ${days.expired}.`,
        renewable
          ? `Kui seda ei pikendata, lakkab see töötamast ${days.outzone} ja kustutatakse ${days.deletion}. Pikendamiseks pöörduge oma registripidaja poole.`
          : `See lakkab töötamast ${days.outzone} ja kustutatakse ${days.deletion}. Register on pikendamise keelanud; palun pöörduge oma registripidaja poole.`,
      ],
      en: [
        `The domain ${name} expired on ${days.expired}.`,
        renewable
          ? `Unless it is renewed it stops working on ${days.outzone} and is deleted on ${days.deletion}. To renew it, please turn to your registrar.`
          : `It stops working on ${days.outzone} and is deleted on ${days.deletion}. The registry has forbidden its renewal; please turn to your registrar.`,
      ],
    },
  );
}

export function forceDeleteMails(domain: Domain, forceDelete: ForceDelete): DomainMail[] {
  const { name } = domain;
  const { reason } = forceDelete;
  const when = lastDayOf({ ...domain, forceDelete });
  return toAll(
    domain,
    { et: `Domeen ${name} läheb kustutamisele`, en: `The domain ${name} is going to be deleted` },
    {
      et: [
        `Register on alustanud domeeni ${name} kustutamist. Põhjus: ${reason}.`,
        when
          ? `Domeen kustutatakse ${when}, kui põhjust enne seda ei kõrvaldata.`
          : 'Domeeni ei saa enam pikendada, kui põhjust ei kõrvaldata.',
        'Palun pöörduge oma registripidaja poole.',
      ],
      en: [
        `The registry has begun to delete the domain ${name}. The reason: ${reason}.`,
        when
          ? `The domain is deleted on ${when} unless the reason is removed before.`
          : 'The domain can no longer be renewed unless the reason is removed.',
        'Please turn to your registrar.',
      ],
    },
  );
}

/** A context with the name of its time zone, since the recipient may live in another one. */
export function deadline(at: Date, policy: Policy): Bilingual<string> {
  const written = (locale: string) => `${formatLocalTime(at, policy)} (${zoneName(at, locale, policy)})`;
  return { et: written('et'), en: written('en') };
}

function zoneName(at: Date, locale: string, { timeZone }: Policy): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
