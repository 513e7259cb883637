import { Refused } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ContactResult, WholeContact } from '../../registry/contacts/contact.ts';
import type { DomainResult, WholeDomain } from '../../registry/domains/domain.ts';
import { readLinkIds } from '../../registry/domains/readings/read-domain.ts';
import type { Context } from '../../registry/operation.ts';
import { readCharge } from '../../registry/prices/read-charge.ts';
import type { Answer } from '../http/http-answer.ts';
import { perform } from './answers.ts';
import { readContactJson } from './contact-json.ts';
import { readDomainJson } from './domain-json.ts';
import { renderWholeContact } from './render-contact.ts';
import { renderWholeDomain, UNKNOWN_ID } from './render-domain.ts';
import { renderContact, renderDomain } from './render-results.ts';

/**
 * Answers of calls that write a domain or a contact: what the documents say, and beside that the whole object as its
 * sponsor reads it, without its code. Under the compatibility profile nothing is added.
 */
type Dependencies = { readonly database: Database; readonly policy: Policy };
type Run<Result> = (context: Context) => Promise<Outcome<Result>>;

export function performOnDomain(
  { database }: Pick<Dependencies, 'database'>,
  context: Context,
  run: Run<WholeDomain>,
  renderDocumented: (result: DomainResult) => { readonly domain: object } = renderDomain,
): Promise<Answer> {
  if (context.principal.compatibility)
    return perform(context, renderDocumented, run, { again: documentedDomain });
  const render = (result: WholeDomain) => ({
    domain: { ...renderDocumented(result).domain, ...renderWholeDomain(result, context) },
    charged: toDecimal(context.dryRun ? 0n : result.charged),
  });
  return perform(context, render, run, {
    again: (stored: StoredDomain) => repeatedDomain(database, stored, context),
  });
}

export function performOnContact(
  { database, policy }: Dependencies,
  context: Context,
  run: Run<WholeContact>,
): Promise<Answer> {
  if (context.principal.compatibility)
    return perform<ContactResult, StoredContact>(context, renderContact, run, { again: documentedContact });
  return perform(context, (result) => ({ contact: renderWholeContact(result, context) }), run, {
    again: async (stored: StoredContact) =>
      'name' in stored.contact ? stored : await contactAnew(database, stored, policy, context),
  });
}

type WithId = { readonly id: number };
type StoredDomain = {
  readonly domain: {
    readonly name: string;
    readonly pending?: true;
    readonly type?: string;
    readonly nameservers?: readonly (WithId & { readonly hostname: string })[];
    readonly dnssec_keys?: readonly (WithId & { readonly public_key: string })[];
  };
  readonly charged?: string;
};
type StoredContact = { readonly contact: { readonly code: string } };

/** Of an answer that was stored before the registrar had the profile. */
export async function documentedDomain({ domain: { name, pending, type } }: StoredDomain) {
  return { domain: { name, ...(pending && { pending }), ...(type !== undefined && { type }) } };
}
export const documentedContact = async ({ contact: { code } }: StoredContact) => ({ contact: { code } });

/** An answer is stored with its effect, when what was added to the domain had no ids yet. */
async function repeatedDomain({ reads }: Database, stored: StoredDomain, context: Context): Promise<object> {
  const { nameservers = [], dnssec_keys: keys = [] } = stored.domain;
  if (stored.charged === undefined) return domainAnew({ reads }, stored, context);
  if (![...nameservers, ...keys].some(({ id }) => id === UNKNOWN_ID)) return stored;
  const ids = await readLinkIds(reads, stored.domain.name, context);
  return {
    ...stored,
    domain: {
      ...stored.domain,
      nameservers: nameservers.map((host) => ({
        ...host,
        id: ids.nameservers.get(host.hostname) ?? host.id,
      })),
      dnssec_keys: keys.map((key) => ({ ...key, id: ids.dnsKeys.get(key.public_key) ?? key.id })),
    },
  };
}

/** Of an answer that was stored without the object: with the object as it is now, if it is still the caller's. */
async function domainAnew(
  { reads }: Pick<Database, 'reads'>,
  stored: StoredDomain,
  context: Context,
): Promise<object> {
  const { name } = stored.domain;
  const [text, charged] = await Promise.all([
    ifFound(readDomainJson(reads, name, context)),
    readCharge(reads, name, context),
  ]);
  const { transfer_code: code, ...domain } = JSON.parse(text ?? '{}') as { readonly transfer_code?: string };
  return { domain: { ...stored.domain, ...(code !== undefined && domain) }, charged: toDecimal(charged) };
}

async function contactAnew(
  { reads }: Pick<Database, 'reads'>,
  stored: StoredContact,
  policy: Policy,
  { principal }: Context,
): Promise<object> {
  const text = await ifFound(readContactJson(reads, stored.contact.code, policy, principal));
  const { auth_info: _code, ...contact } = JSON.parse(text ?? '{}') as { readonly auth_info?: string };
  return { contact: { ...stored.contact, ...contact } };
}

async function ifFound(read: Promise<string>): Promise<string | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
