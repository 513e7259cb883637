import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Principal } from '../../../registry/actor.ts';
import { isContactCode } from '../../../registry/contacts/contact-fields.ts';
import { findContactCodes } from '../../../registry/contacts/find-codes.ts';
import { mapAt } from './body-paths.ts';

/** Where bodies name contacts that exist. */
const NAMED_IN: Readonly<Record<string, readonly string[]>> = {
  createDomain: ['domain.registrant', 'domain.admin_contacts.*', 'domain.tech_contacts.*'],
  updateDomain: ['domain.registrant.code'],
  addDomainContacts: ['contacts.*.code'],
  removeDomainContacts: ['contacts.*.code'],
  replaceTechContact: ['current_contact_id', 'new_contact_id'],
};
/** Above what any call takes: longer lists are refused for their length. */
const MAX_CODES = 500;

type Caller = Pick<Principal, 'registrarId' | 'registrarCode'>;

/** The code under which a new contact is stored: the registrar's prefix and capitals. */
export function storedCode(code: string, { registrarCode }: Caller): string {
  const prefix = `${registrarCode}:`;
  const upper = code.toUpperCase();
  return upper.startsWith(prefix) ? upper : prefix + upper;
}

/** The id of a new contact; generated where it is empty or the registrar's code alone. One that is invalid is refused later. */
export function newContactId(id: unknown, caller: Caller, policy: Policy): unknown {
  const isOpen = id === undefined || id === '' || id === caller.registrarCode;
  if (isOpen) return storedCode(randomBytes(4).toString('hex'), caller);
  return typeof id === 'string' && isContactCode(id, policy) ? storedCode(id, caller) : id;
}

/** As given, with the prefix, or without it; the first that exists is meant. */
function spellingsOf(code: string, { registrarCode }: Caller): string[] {
  const prefix = `${registrarCode}:`;
  const [stored, upper] = [storedCode(code, { registrarId: 0, registrarCode }), code.toUpperCase()];
  return [code, stored, ...(upper.startsWith(prefix) ? [code.slice(prefix.length)] : [])];
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
  const paths = (NAMED_IN[endpointId] ?? []).map((path) => path.split('.'));
  const given = new Set<string>();
  const note = (value: unknown) => {
    if (typeof value === 'string' && isContactCode(value, policy)) given.add(value);
    return value;
  };
  const everywhere = ({ params, query, body }: Named, map: (value: unknown) => unknown): Named => ({
    params: endpointId === 'checkContact' ? params : (mapAt(params, ['contact_id'], map) as Named['params']),
    query: mapAt(mapAt(query, ['contact'], map), ['q[code_eq]'], map) as Named['query'],
    body: paths.reduce((value, path) => mapAt(value, path, map), body),
  });
  everywhere(request, note);
  if (given.size === 0 || given.size > MAX_CODES) return request;
  const codes = [...given];
  const found = await findContactCodes(
    db,
    codes.map((code) => spellingsOf(code, caller)),
    caller,
  );
  const stored = new Map(codes.map((code, index) => [code, found[index] ?? code]));
  return everywhere(request, (value) => stored.get(value as string) ?? value);
}
