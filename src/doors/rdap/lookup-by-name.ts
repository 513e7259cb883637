import type { Sql } from '../../platform/sql/executor.ts';
import type { Policy } from '../../policy/policy.ts';
import { findNameserver } from '../../registry/lookup/find-nameserver.ts';
import { findRegistrar } from '../../registry/lookup/find-registrar.ts';
import { lookUpDomain } from '../../registry/lookup/look-up-domain.ts';
import type { Viewer } from '../../registry/lookup/viewer.ts';
import { parseIdn } from '../../registry/names/name.ts';
import { domainAnswer } from './domain-object.ts';
import { publishedNameserver } from './nameserver-object.ts';
import { termsNotice } from './notices.ts';
import type { Addresses } from './rdap-objects.ts';
import { refuse } from './rdap-refusals.ts';
import { registrarEntity } from './registrar-entity.ts';
import type { RdapAnswer } from './send-object.ts';

type LookupContext = {
  readonly db: Sql;
  /** Runs the statements of the look-up in its turn. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  readonly viewer: Viewer;
  readonly now: Date;
  readonly policy: Policy;
  readonly addresses: Addresses;
};
/** Refuses what is not here, and what cannot be a name at all. */
export type ObjectLookup = (text: string, context: LookupContext) => Promise<RdapAnswer>;

/** What is free, blocked, reserved, a zone or of another registry is not told apart. */
export const lookUpName: ObjectLookup = async (text, { db, run, viewer, now, policy, addresses }) => {
  const found = await run(() => lookUpDomain(db, text, { viewer, now, policy }));
  if (found.result === 'registered') return domainAnswer(found.domain, policy, addresses);
  requireName(text);
  return refuse('notHere');
};

/** A code never has more characters, nor others. */
const HANDLE = /^[\w-]{1,64}$/;

/** Registrars only: contacts are shown as parts of domains, and cannot be looked up. */
export const lookUpEntity: ObjectLookup = async (text, { db, run, policy, addresses }) => {
  if (text === '') refuse('notAName');
  const registrar = HANDLE.test(text) ? await run(() => findRegistrar(db, text)) : undefined;
  if (!registrar) return refuse('notHere');
  const object = registrarEntity(registrar, policy, addresses);
  return objectAnswer(object, addresses);
};

export const lookUpNameserver: ObjectLookup = async (text, { db, run, policy, addresses }) => {
  requireName(text);
  const nameserver = await run(() => findNameserver(db, text, { policy }));
  if (!nameserver) return refuse('notHere');
  const object = publishedNameserver(nameserver, addresses);
  return objectAnswer(object, addresses);
};

const objectAnswer = (object: object, addresses: Addresses): RdapAnswer => ({
  object: JSON.stringify(object).slice(1, -1),
  notices: JSON.stringify([termsNotice(addresses)]),
  events: [],
});

/** A name outside our zones is one that is not here; what no zone could have is no name. */
function requireName(text: string): void {
  if (parseIdn(text.replace(/\.$/, '')) === undefined) refuse('notAName');
}
