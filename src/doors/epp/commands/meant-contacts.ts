import { requireNone } from '../../../operations/refusal.ts';
import type { ContactPath } from '../../../registry/contacts/contact-paths.ts';
import { findMeantCodes } from '../../../registry/contacts/prefixed-codes.ts';
import type { DomainPath } from '../../../registry/domains/rules/domain-paths.ts';
import { registryRefusals } from '../../../registry/registry-refusals.ts';
import type { Call } from './object-handler.ts';

type Meant = (code: string) => string;
type NamedCode = { readonly code: string; readonly at: DomainPath | ContactPath };

const { refusal } = registryRefusals<DomainPath | ContactPath>();

/** The codes that names of contacts mean; as they are for a registrar without the compatibility profile. */
export async function meantCodes({ database, context }: Call, named: readonly NamedCode[]): Promise<Meant> {
  const { principal } = context;
  if (!principal.compatibility) return (code) => code;
  const codes = named.map(({ code }) => code);
  const { meant, ambiguous } = await findMeantCodes(database.reads, codes, principal);
  const places = new Map(named.map(({ code, at }) => [code, at]));
  requireNone(
    [...ambiguous].map(([contact, what]) => {
      const at = places.get(contact);
      return refusal('contactAmbiguous', { contact, what, ...(at && { at }) });
    }),
  );
  return meant;
}

/** The same for the contact that a command is about. */
export const meantCode = async (call: Call, code: string): Promise<string> =>
  (await meantCodes(call, [{ code, at: ['code'] }]))(code);
