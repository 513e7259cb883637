import { randomBytes } from 'node:crypto';
import { requireNone } from '../../../operations/refusal.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Principal } from '../../../registry/actor.ts';
import { isContactCode } from '../../../registry/contacts/contact-fields.ts';
import { findMeantCodes, prefixedCode } from '../../../registry/contacts/prefixed-codes.ts';
import { refusal } from '../registrar-api-refusals.ts';
import { mapAt } from './body-paths.ts';

/** Where bodies name contacts that exist. */
const NAMED_IN: Readonly<Record<string, readonly string[]>> = {
  createDomain: ['domain.registrant', 'domain.admin_contacts.*', 'domain.tech_contacts.*'],
  updateDomain: ['domain.registrant.code', 'domain.contacts.*.code'],
  addDomainContacts: ['contacts.*.code'],
  removeDomainContacts: ['contacts.*.code'],
  replaceTechContact: ['current_contact_id', 'new_contact_id'],
  replaceAdminContact: ['current_contact_id', 'new_contact_id'],
};
/** Where queries do. */
const IN_QUERIES = ['contact', 'q[code_eq]', 'q[registrant_code_eq]'];
/** Above what any call takes: longer lists are refused for their length. */
const MAX_CODES = 500;

type Caller = Pick<Principal, 'registrarId' | 'registrarCode'>;

/** The id of a new contact; generated where it is empty or the registrar's code alone. One that is invalid is refused later. */
export function newContactId(id: unknown, caller: Caller, policy: Policy): unknown {
  const isOpen = id === undefined || id === '' || id === caller.registrarCode;
  if (isOpen) return prefixedCode(randomBytes(4).toString('hex'), caller);
  return typeof id === 'string' && isContactCode(id, policy) ? prefixedCode(id, caller) : id;
}

type Named = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

/** The request with every contact by the code that it is stored under; what does not exist stays as it was given. */
export async function withStoredCodes(
  db: Sql,
  endpointId: string,
  request: Named,
  caller: Caller,
  policy: Policy,
): Promise<Named> {
  const paths = NAMED_IN[endpointId] ?? [];
  type Map = (value: unknown, field?: string) => unknown;
  const everywhere = ({ params, query, body }: Named, map: Map): Named => ({
    params: endpointId === 'checkContact' ? params : (mapAt(params, ['contact_id'], map) as Named['params']),
    query: IN_QUERIES.reduce<unknown>(
      (value, name) => mapAt(value, [name], (code) => map(code, name)),
      query,
    ) as Named['query'],
    body: paths.reduce<unknown>(
      (value, path) => mapAt(value, path.split('.'), (code) => map(code, path.replace(/\.\*.*$/, ''))),
      body,
    ),
  });
  const given: { readonly code: string; readonly field: string | undefined }[] = [];
  everywhere(request, (value, field) => {
    if (typeof value === 'string' && isContactCode(value, policy)) given.push({ code: value, field });
    return value;
  });
  if (given.length === 0 || given.length > MAX_CODES) return request;
  const codes = given.map(({ code }) => code);
  const { meant, ambiguous } = await findMeantCodes(db, codes, caller);
  const fields = new Map(given.map(({ code, field }) => [code, field]));
  requireNone(
    [...ambiguous].map(([contact, what]) => {
      const field = fields.get(contact);
      return refusal('contactAmbiguous', { contact, what, ...(field !== undefined && { field }) });
    }),
  );
  return everywhere(request, (value) => (typeof value === 'string' ? meant(value) : value));
}
