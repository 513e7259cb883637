import { expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { removeClientStatus, setClientStatus } from '../../../src/registry/domains/change-status.ts';
import { deleteDomain } from '../../../src/registry/domains/delete.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { type DomainParts, NO_PARTS } from '../../../src/registry/domains/domain-parts.ts';
import { checkDomainActions, type DomainAction } from '../../../src/registry/domains/possible-changes.ts';
import { renewDomain } from '../../../src/registry/domains/renew.ts';
import { type DomainStatus, storedStatuses } from '../../../src/registry/domains/statuses.ts';
import { updateDomain } from '../../../src/registry/domains/update.ts';
import { updateDomainParts } from '../../../src/registry/domains/update-parts.ts';
import type { RequestToken } from '../../../src/registry/requests/request-store.ts';
import {
  contextOf,
  domainOf,
  JAAN,
  MARI_AGAIN,
  nameserver,
  refusalsOf,
  signedKey,
} from '../../support/decisions.ts';

const KEY = signedKey('AAAA');
const name = 'example.ee';
const token = 'a-token' as RequestToken;
const context = contextOf({ policy: { ...ee, domains: { ...ee.domains, clientStatuses: ['clientHold'] } } });
const others = { registrant: undefined, transferCode: undefined };
const loaded = (domain: Domain) => ({
  ...{ domain, gone: false, own: [JAAN], token },
  generatedCode: 'generated',
});
const change = (domain: Domain, parts: DomainParts) =>
  updateDomainParts.decide(loaded(domain), { name, ...parts, ...others }, context);
const adding = (domain: Domain, add: Partial<DomainParts['add']>) =>
  change(domain, { ...NO_PARTS, add: { ...NO_PARTS.add, ...add } });

/** The operations themselves, with an input that nothing but the state of the domain forbids. */
const operations: Readonly<Record<DomainAction, (domain: Domain) => unknown>> = {
  renew: (domain) =>
    renewDomain.decide(
      { ...{ domain, gone: false, price: '900' }, funds: { balance: '100000', debt: '0' } },
      { name, months: 12, expDate: '2027-06-11' },
      context,
    ),
  nameservers: (domain) =>
    adding(domain, { nameservers: ['ns1.a.ee', 'ns2.a.ee'].map((host) => nameserver(host)) }),
  contacts: (domain) => {
    const inRole = (role: 'admin' | 'tech') =>
      refusalsOf(() => adding(domain, { contacts: [{ code: JAAN.code, role, field: '' }] })).length;
    if (inRole('admin') > 0 && inRole('tech') > 0)
      adding(domain, { contacts: [{ code: JAAN.code, role: 'admin', field: '' }] });
  },
  registrant: (domain) =>
    updateDomain.decide(
      {
        ...loaded(domain),
        newRegistrant: MARI_AGAIN,
        dispute: { code: 'x', wrongCodes: { count: 0, secondsLeft: null } },
      },
      {
        name,
        registrant: { code: MARI_AGAIN.code, verified: true },
        transferCode: undefined,
        disputeCode: 'x',
      },
      context,
    ),
  keys: (domain) => adding(domain, { keys: [KEY] }),
  hold: (domain) => {
    const { decide } = 'clientHold' in domain.statuses ? removeClientStatus : setClientStatus;
    decide({ domain, gone: false }, { name, status: 'clientHold' }, context);
  },
  transferCode: (domain) =>
    updateDomain.decide(
      { ...loaded(domain), newRegistrant: undefined },
      { name, registrant: undefined, transferCode: 'another' },
      context,
    ),
  delete: (domain) =>
    deleteDomain.decide(loaded(domain), { name, verified: true, authCode: undefined }, context),
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
