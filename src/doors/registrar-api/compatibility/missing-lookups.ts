import type { Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { RegistrarScope } from '../../../registry/actor.ts';
import { findContactId } from '../../../registry/contacts/contact.ts';
import { findSponsor } from '../../../registry/domains/readings/find-sponsor.ts';
import { parseDomainName } from '../../../registry/names/name.ts';

/** The calls in which the incumbent looks for the object of the path before it reads the body. */
const LOOKED_UP: Readonly<Record<string, 'own domain' | 'any domain' | 'own contact'>> = {
  updateContact: 'own contact',
  updateDomain: 'own domain',
  deleteDomain: 'any domain',
  addDomainContacts: 'own domain',
  removeDomainContacts: 'own domain',
  addNameservers: 'own domain',
  addKeys: 'own domain',
  removeKeys: 'own domain',
  renewDomain: 'own domain',
  transferDomain: 'any domain',
};

/** Whether the object of the path is missing, where that is said before what is wrong with the body. */
export async function isAddressedMissing(
  db: Sql,
  call: string,
  params: Readonly<Record<string, string>>,
  { caller, policy }: { readonly caller: RegistrarScope; readonly policy: Policy },
): Promise<boolean> {
  const object = LOOKED_UP[call];
  if (object === undefined) return false;
  if (object === 'own contact')
    return (await findContactId(db, params.contact_id ?? '', caller)) === undefined;
  const name = parseDomainName(params.domain_name ?? '', policy)?.unicode;
  const sponsor = name === undefined ? undefined : await findSponsor(db, name);
  return sponsor === undefined || (object === 'own domain' && sponsor !== caller.registrarId);
}
