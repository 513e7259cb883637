import { type InBoth, letter } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { type Domain, type ForceDelete, lastDayOf } from '../domains/domain.ts';

/** The registrant and the admin contacts, each address once. */
const readersOf = ({ registrant, contacts }: Domain): string[] => [
  ...new Set([
    registrant.email,
    ...contacts.filter(({ role }) => role === 'admin').map(({ email }) => email),
  ]),
];

const toAll = (domain: Domain, subject: InBoth<string>, paragraphs: InBoth<readonly string[]>): Mail[] =>
  readersOf(domain).map((to) => letter({ to, about: [domain.name], subject, paragraphs }));

export function remindOfExpiry(
  domain: Domain,
  days: { expired: string; outzone: string; deletion: string },
): Mail[] {
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

export function tellOfForceDelete(domain: Domain, forceDelete: ForceDelete): Mail[] {
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
