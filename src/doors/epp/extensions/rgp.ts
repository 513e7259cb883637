import { gracePeriodStatus } from '../commands/read-domain-statuses.ts';
import { NAMESPACES } from '../namespaces.ts';
import { type Markup, xml } from '../xml/write.ts';

/** The redemption grace period of a domain (RFC 3915); nothing if it is not being deleted. */
export function gracePeriodInfo(statuses: Readonly<Record<string, string>>): Markup | undefined {
  const status = gracePeriodStatus(statuses);
  return (
    status && xml`<rgp:infData xmlns:rgp="${NAMESPACES.rgp}"><rgp:rgpStatus s="${status}"/></rgp:infData>`
  );
}
