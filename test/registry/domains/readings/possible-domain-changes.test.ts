import { expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import { deleteDomain } from '../../../../src/registry/domains/delete-domain.ts';
import type { Domain } from '../../../../src/registry/domains/domain.ts';
import type { DomainParts } from '../../../../src/registry/domains/rules/domain-parts.ts';
import {
  checkDomainActions,
  type DomainAction,
} from '../../../../src/registry/domains/readings/possible-domain-changes.ts';
import { renewDomain } from '../../../../src/registry/domains/renew-domain.ts';
import { type DomainStatus, storedStatuses } from '../../../../src/registry/domains/rules/domain-statuses.ts';
import type { RequestToken } from '../../../../src/registry/requests/request-store.ts';
import {
  contextOf,
  domainOf,
  JAAN,
  MARI_AGAIN,
  nameserver,
  refusalsOf,
  signedKey,
  updateOf,
} from '../../../support/decisions.ts';

const KEY = signedKey('AAAA');
const name = 'example.ee';
const token = 'a-token' as RequestToken;
const context = contextOf({ policy: { ...ee, domains: { ...ee.domains, clientStatuses: ['clientHold'] } } });
const adding = (domain: Domain, add: Partial<DomainParts['add']>) =>
  updateOf(domain, { add }, { own: [JAAN], context });

/** The operations themselves, with an input that nothing but the state of the domain forbids. */
const operations: Readonly<Record<DomainAction, (domain: Domain) => unknown>> = {
  renew: (domain) =>
    renewDomain.decide(
      { domain, gone: false, price: '900', funds: { balance: '100000', debt: '0' } },
      { name, months: 12, expDate: '2027-06-11' },
      context,
    ),
  nameservers: (domain) =>
    adding(domain, { nameservers: ['ns1.a.ee', 'ns2.a.ee'].map((host) => nameserver(host)) }),
  contacts: (domain) => {
    const inRole = (role: 'admin' | 'tech') =>
      refusalsOf(() => adding(domain, { contacts: [{ code: JAAN.code, role }] })).length;
    if (inRole('admin') > 0 && inRole('tech') > 0)
      adding(domain, { contacts: [{ code: JAAN.code, role: 'admin' }] });
  },
  registrant: (domain) =>
    updateOf(
      domain,
      { registrant: { code: MARI_AGAIN.code, verified: true }, disputeCode: 'x' },
      { own: [MARI_AGAIN], dispute: { code: 'x' }, context },
    ),
  keys: (domain) => adding(domain, { keys: [KEY] }),
  hold: (domain) => {
    const statuses = [{ status: 'clientHold' }];
    const update = 'clientHold' in domain.statuses ? { remove: { statuses } } : { add: { statuses } };
    updateOf(domain, update, { context });
  },
  transferCode: (domain) => updateOf(domain, { transferCode: 'another' }, { context }),
  delete: (domain) =>
    deleteDomain.decide(
      { domain, gone: false, token },
      { name, verified: true, transferCode: undefined },
      context,
    ),
};

const states: [string, Partial<Domain>][] = [
  ['no status', {}],
  ['a dispute', { disputed: true }],
  ...storedStatuses.map((status): [string, Partial<Domain>] => [status, { statuses: { [status]: '' } }]),
  ...(['serverManualInzone', 'pendingUpdate'] satisfies DomainStatus[]).map(
    (status): [string, Partial<Domain>] => [
      `clientHold and ${status}`,
      { statuses: { clientHold: '', [status]: '' } },
    ],
  ),
];

test.each(states)(
  'success: with %s each action is offered if its operation is possible, and only then',
  (_what, state) => {
    const domain = domainOf(state);
    const checked = checkDomainActions(domain, context);
    const actions = Object.keys(operations) as DomainAction[];
    const offered = actions.filter((action) => checked[action].length === 0);
    expect(offered).toEqual(
      actions.filter((action) => refusalsOf(() => operations[action](domain)).length === 0),
    );
  },
);
