import type { DomainResult } from '../../../registry/domains/domain.ts';
import { type OwnDomain, readOwnDomain } from '../../../registry/domains/readings/read-own-domain.ts';
import { parseDomainName } from '../../../registry/names/name.ts';
import type { ConsoleParts, PageInput, Visit } from '../console-page.ts';

/** The name in the path of a page. */
export const nameIn = ({ params }: PageInput, { policy }: Pick<ConsoleParts, 'policy'>): string | undefined =>
  parseDomainName(params.name ?? '', policy)?.unicode;

/** The domain of the page, from the primary: what was changed a moment ago is shown. */
export async function loadOwnDomain(
  parts: ConsoleParts,
  { principal, now }: Visit,
  input: PageInput,
): Promise<OwnDomain | undefined> {
  const { database, policy } = parts;
  const name = nameIn(input, parts);
  return name === undefined ? undefined : readOwnDomain(database.reads, name, { principal, now, policy });
}

/** What is stored of a change that the registrant may have to confirm first. */
export const storedDomain = ({ name, isPending }: DomainResult) => ({ domain: { name, pending: isPending } });
