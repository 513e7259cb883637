import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { type DomainHistoryEntry, listDomainHistory } from '../../registry/history/list-domain-history.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import { Type } from '../http/schema-builder.ts';
import { nextPage, positionIn } from './answers.ts';
import { nameIn } from './domain-path.ts';
import { Statuses } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { DEFAULT_LIMIT, Money, orNull, paging, Strict } from './schemas.ts';

const Entry = Type.Object(
  {
    id: Type.Integer({ description: 'of two changes the younger has the higher one' }),
    at: Type.String(),
    operation: Type.String({ description: 'what was done' }),
    by: Type.Enum(['registrar', 'registry', 'registrant'], { description: 'who did it' }),
    user: orNull(Type.String(), 'which of your users or people'),
    reason: orNull(Type.String(), 'why the registry did it, where it tells'),
    changed: Type.Array(Type.String(), { description: 'the names of the members that were different then' }),
    expire_time: orNull(Type.String(), 'when the domain expired, after the change'),
    statuses: orNull(Statuses, 'after the change'),
    charged: orNull(Money, 'what it cost'),
    request_id: orNull(Type.String(), 'of your request'),
    client_transaction_id: orNull(Type.String(), 'of your request, where it had one'),
    idempotency_key: orNull(Type.String(), 'of your request'),
  },
  { additionalProperties: false, 'x-component': 'DomainHistoryEntry' },
);

/** Of what events say, the members that an entry has, too. */
const CONTENT = {
  operation: null,
  by: null,
  changed: [],
  expire_time: null,
  statuses: null,
  request_id: null,
  client_transaction_id: null,
  idempotency_key: null,
} as const;

function entryJson({ content, ...own }: DomainHistoryEntry): object {
  const told = JSON.parse(content) as Readonly<Record<string, unknown>>;
  return {
    ...own,
    ...Object.fromEntries(Object.entries(CONTENT).map(([name, absent]) => [name, told[name] ?? absent])),
  };
}

const example = {
  id: 41,
  at: '2026-11-15T10:00:00.000+02:00',
  operation: 'create',
  by: 'registrar',
  user: 'alpha',
  reason: null,
  changed: [],
  expire_time: '2027-11-16T00:00:00.000+02:00',
  statuses: { ok: '' },
  charged: '9.00',
  request_id: '0d6a9f0e-53a1-4b0e-9a57-3f4d2f0c8a11',
  client_transaction_id: null,
  idempotency_key: 'order-4711',
};

type Dependencies = { readonly database: Database; readonly policy: Policy };

export const domainHistoryEndpoints = ({ database, policy }: Dependencies): RegistrarEndpoint[] => [
  endpoint({
    group: 'Domains',
    right: 'objects',
    id: 'listDomainHistory',
    method: 'GET',
    path: '/domains/:domain_name/history',
    summary: 'What happened to a domain while it was yours, newest first',
    query: Strict({ limit: paging.limit, after: paging.after }),
    data: Type.Object({ history: Type.Array(Entry) }, { additionalProperties: false }),
    refusals: ['objectMissing', 'notSponsor'],
    example: { params: { domain_name: 'example.ee' }, query: { limit: 10 }, data: { history: [example] } },
    async handle({ params, query, context }) {
      const { limit = DEFAULT_LIMIT } = query;
      const name = nameIn(params, policy);
      const wanted = { name, limit, after: positionIn(query.after, 'number') };
      const { entries, next } = await inListTurn(database, context.principal, (db) =>
        listDomainHistory(db, wanted, context.principal),
      );
      return {
        data: { history: entries.map(entryJson) },
        headers: nextPage(`/domains/${encodeURIComponent(name)}/history`, { limit }, next),
      };
    },
  }),
];
