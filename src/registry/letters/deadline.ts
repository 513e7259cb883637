import type { InBoth } from '../../platform/mail/compose-mail.ts';
import type { Policy } from '../../policy/policy.ts';
import { timeForPeople } from '../domains/periods.ts';

/** A moment with the name of its zone: the reader of a mail may live in another one. */
export function deadline(at: Date, policy: Policy): InBoth<string> {
  const written = (locale: string) => `${timeForPeople(at, policy)} (${zoneName(at, locale, policy)})`;
  return { et: written('et'), en: written('en') };
}

function zoneName(at: Date, locale: string, { timeZone }: Policy): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
