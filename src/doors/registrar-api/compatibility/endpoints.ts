import type { Database } from '../../../platform/sql/database.ts';
import type { Policy } from '../../../policy/policy.ts';
import { isContactCodeFree } from '../../../registry/contacts/check-codes.ts';
import { isContactCode } from '../../../registry/contacts/contact-fields.ts';
import { CONTACT_COLUMNS, contactSorts, listContacts } from '../../../registry/contacts/list-contacts.ts';
import { updateContact } from '../../../registry/contacts/update.ts';
import { parseNameserver } from '../../../registry/domains/nameservers.ts';
import { readTransferCode } from '../../../registry/domains/read-domain.ts';
import { replaceNameserver } from '../../../registry/domains/replace-nameserver.ts';
import { updateDomain } from '../../../registry/domains/update.ts';
import { inListTurn, sortColumn } from '../../../registry/listing.ts';
import { storedNames } from '../../../registry/names/name-lists.ts';
import type { Context } from '../../../registry/operation.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { type Answer, JsonText } from '../../http/answer.ts';
import { Type } from '../../http/schema-builder.ts';
import { VERBATIM } from '../../http/trim-texts.ts';
import { nextPage, performed, positionIn } from '../answers.ts';
import { nameIn } from '../domain-path.ts';
import { domainChange, Nameserver, readDomainChange } from '../domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import { refuse } from '../registrar-api-refusals.ts';
import { DEFAULT_LIMIT, flag, paging, Strict, Text } from '../schemas.ts';
import { storedCode } from './contact-codes.ts';
import { prefixOf } from './list-queries.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };
const MAX_DOMAINS = 10_000;

/**
 * The calls of the profile that take or answer more than the ordinary ones. Each stands in place of the call of its id,
 * with its path, right and description; none is in the API document.
 */
export function compatibilityEndpoints(
  ordinary: readonly RegistrarEndpoint[],
  { database, policy }: Dependencies,
): {
  readonly byId: ReadonlyMap<string, RegistrarEndpoint>;
  readonly emptiedContactUpdate: RegistrarEndpoint;
} {
  const find = (id: string): RegistrarEndpoint => {
    const found = ordinary.find((each) => each.id === id);
    if (!found) throw new Error(`there is no call ${id}`);
    return found;
  };
  const described = (id: string) => {
    const { query: _query, body: _body, read: _read, ...description } = find(id);
    return description;
  };
  const create = find('createDomain');
  const replace = find('replaceNameserver');
  const byContact = '/contacts/:contact_id' as const;

  const withTransferCode: RegistrarEndpoint = {
    ...create,
    async read(...request) {
      const call = await create.read(...request);
      return async (context) => addTransferCode(await call(context), database, context);
    },
  };

  const contactList = endpoint({
    ...described('listContacts'),
    path: '/contacts',
    query: Strict({
      ...paging,
      details: flag('full objects instead of codes'),
      q: Type.Optional(Text('only contacts whose code or name begins like this', { maxLength: 255 })),
      sort: Type.Optional(Type.Enum([...contactSorts])),
      'q[name_matches]': Type.Optional(Text('only contacts whose name matches this', { maxLength: 255 })),
      'q[code_eq]': Type.Optional(Text('only the contact with this code', { maxLength: 255, ...VERBATIM })),
    }),
    async handle({ query, context }) {
      const { limit = DEFAULT_LIMIT, offset = 0, details = false, q, sort = 'created_at' } = query;
      const { 'q[name_matches]': pattern, 'q[code_eq]': code } = query;
      const after = positionIn(query.after, sortColumn(sort, CONTACT_COLUMNS).type, sort);
      const namePrefix = pattern === undefined ? undefined : prefixOf(pattern);
      const { contacts, count, next } = await inListTurn(database, context.principal, (sql) =>
        listContacts(
          sql,
          { limit, offset, details, q, sort, after, namePrefix, code },
          policy,
          context.principal,
        ),
      );
      const shown = { limit, details, q, sort, 'q[name_matches]': pattern, 'q[code_eq]': code };
      return {
        data: new JsonText(`{"contacts":${contacts},"count":${count}}`),
        headers: nextPage('/contacts', shown, next),
      };
    },
  });

  const contactCheck = endpoint({
    ...described('checkContact'),
    path: '/contacts/check/:contact_id',
    async handle({ params: { contact_id: code }, context }) {
      const stored = isContactCode(code, policy) ? storedCode(code, context.principal) : code;
      return {
        data: { contact: { code, available: await isContactCodeFree(database.reads, stored, policy) } },
      };
    },
  });

  /** For an update of which nothing was left: the contact must exist, and stays as it is. */
  const emptiedContactUpdate = endpoint({
    ...described('updateContact'),
    path: byContact,
    body: Strict({ contact: Strict({}) }),
    handle: async ({ params: { contact_id: code }, context }) =>
      performed(
        await runRegistryOperation(
          database,
          updateContact,
          { code: isContactCode(code, policy) ? code : refuse('objectMissing'), fields: {} },
          context,
        ),
      ),
  });

  const domainUpdate = endpoint({
    ...described('updateDomain'),
    path: '/domains/:domain_name',
    body: Strict({
      domain: Strict({
        ...domainChange(policy),
        reserved_pw: Type.Optional(Text('the code of a dispute about the name', VERBATIM)),
      }),
    }),
    parse: ({ domain = {} }) => {
      const change = readDomainChange(domain, policy);
      return 'refusals' in change ? change : { value: { ...change.value, disputeCode: domain.reserved_pw } };
    },
    handle: async ({ params, input, context }) =>
      performed(
        await runRegistryOperation(
          database,
          updateDomain,
          { name: nameIn(params, policy), ...input },
          context,
        ),
      ),
  });

  const nameserverAddition = endpoint({
    ...described('replaceNameserver'),
    path: '/registrar/nameservers',
    body: Strict({
      data: Strict({
        type: Type.Enum(['nameserver'], { description: 'always nameserver' }),
        domains: Type.Optional(Type.Array(Text('name'), { minItems: 1, maxItems: MAX_DOMAINS })),
        attributes: Nameserver,
      }),
    }),
    parse: async ({ data }) => {
      const { domains = [], attributes = {} } = data ?? {};
      const next = parseNameserver(attributes, 'data.attributes');
      if ('refusals' in next) return next;
      const names = [...new Set(await storedNames(domains, policy))];
      return { value: { current: undefined, next: next.value, attributes, names } };
    },
    handle: async ({ input, context }) => performed(await replaceNameserver(database, input, context)),
  });
  const nameserverReplacement: RegistrarEndpoint = {
    ...replace,
    read: (request, ...rest) => (hasId(request.body) ? replace : nameserverAddition).read(request, ...rest),
  };

  const instead = [...[withTransferCode, contactList, contactCheck, domainUpdate], nameserverReplacement];
  return { byId: new Map(instead.map((each) => [each.id, each])), emptiedContactUpdate };
}

const hasId = (body: unknown): boolean => {
  const data = (body as { readonly data?: unknown } | undefined)?.data;
  return typeof data !== 'object' || data === null || 'id' in data;
};

/** The code is read, never taken from the stored answer of a key; a domain that has left the registrar shows none. */
async function addTransferCode(answer: Answer, { reads }: Database, context: Context): Promise<Answer> {
  if (context.dryRun) return answer;
  const { domain } = answer.data as { readonly domain: { readonly name: string } };
  const code = await readTransferCode(reads, domain.name, context);
  return code === undefined
    ? answer
    : { ...answer, data: { ...answer.data, domain: { ...domain, transfer_code: code } } };
}
