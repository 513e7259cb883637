import { describe, expect, test } from 'vitest';
import { requireNone } from '../../../src/operations/refusal.ts';
import { ee } from '../../../src/policy/ee.ts';
import { deleteDomain } from '../../../src/registry/domains/delete-domain.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import type { DomainChange } from '../../../src/registry/domains/persist-domains.ts';
import { renewDomain } from '../../../src/registry/domains/renew-domain.ts';
import {
  checkListChange,
  withNameserverList,
} from '../../../src/registry/domains/bulk/change-nameserver-lists.ts';
import { renewDomains } from '../../../src/registry/domains/bulk/renew-many.ts';
import { withOtherNameserver } from '../../../src/registry/domains/bulk/replace-nameserver.ts';
import { withOtherTech } from '../../../src/registry/domains/bulk/replace-tech.ts';
import {
  type DomainStatus,
  storedStatuses,
  withStatus,
} from '../../../src/registry/domains/rules/domain-statuses.ts';
import { refuse } from '../../../src/registry/registry-refusals.ts';
import { newRequestToken } from '../../../src/registry/requests/request-store.ts';
import { checkTransfer, transferredDomain } from '../../../src/registry/transfers/check-transfer.ts';
import {
  byOther,
  CODE,
  contextOf,
  domainOf,
  FIRM,
  JAAN,
  linked,
  MARI,
  MARI_AGAIN,
  nameserver,
  OTHER_REGISTRAR,
  refusalsOf,
  signedKey,
  updateOf,
} from '../../support/decisions.ts';

const NAME = 'example.ee';
const FULL = domainOf({
  contacts: [linked(MARI, 'admin'), linked(MARI, 'tech')],
  nameservers: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'].map((host) => nameserver(host)),
  dnsKeys: [signedKey('AAAA')],
});
const context = contextOf();
const money = { price: '900', funds: { balance: '900', debt: '0' } };

type Decide = (domain: Domain) => DomainChange;
const update =
  (newRegistrant: typeof MARI | undefined, verified: boolean): Decide =>
  (domain) =>
    updateOf(
      domain,
      {
        registrant: newRegistrant && { code: newRegistrant.code, verified },
        transferCode: 'new-transfer-code',
      },
      { own: newRegistrant ? [newRegistrant] : [] },
    );
const change =
  (update: Parameters<typeof updateOf>[1], ...own: readonly (typeof MARI)[]): Decide =>
  (domain) =>
    updateOf(domain, update, { own });
const remove =
  (verified: boolean): Decide =>
  (domain) =>
    deleteDomain.decide(
      { domain, gone: false, token: newRequestToken() },
      { name: NAME, verified, transferCode: undefined },
      context,
    );
const skipped = (change: DomainChange | undefined): DomainChange =>
  change ?? refuse('statusProhibits', { status: 'any' });

/** Every operation on a domain, with an input that only its statuses could prohibit. */
const operations = {
  'a new transfer code': update(undefined, false),
  'a new registrant, verified': update(JAAN, true),
  'a new registrant, who is asked': update(JAAN, false),
  'another contact of the same holder': update(MARI_AGAIN, false),
  'add an admin': change({ add: { contacts: [{ code: 'jaan', role: 'admin' }] } }, JAAN),
  'add a tech': change({ add: { contacts: [{ code: 'firm', role: 'tech' }] } }, FIRM),
  'remove an admin': change({ remove: { contacts: [{ code: 'mari', role: 'admin' }] } }),
  'remove a tech': change({ remove: { contacts: [{ code: 'mari', role: 'tech' }] } }),
  'add a nameserver': change({ add: { nameservers: [nameserver('ns9.example.net')] } }),
  'remove a nameserver': change({ remove: { nameservers: [{ hostname: 'ns3.example.net' }] } }),
  'remove all nameservers': change({ remove: { nameservers: 'all' } }),
  'add a key': change({ add: { keys: [signedKey('BBBB')] } }),
  'remove a key': change({ remove: { keys: [signedKey('AAAA')] } }),
  'set clientHold': change({ add: { statuses: [{ status: 'clientHold', mayBePresent: true }] } }),
  'remove clientHold': (domain) =>
    updateOf(
      { ...domain, statuses: withStatus(domain.statuses, 'clientHold') },
      { remove: { statuses: [{ status: 'clientHold' }] } },
    ),
  renew: (domain) =>
    renewDomain.decide(
      { domain, gone: false, ...money },
      { name: NAME, months: 12, expDate: '2027-06-11' },
      context,
    ),
  'renew, one of many': (domain) => {
    const loaded = {
      domains: new Map([[NAME, domain]]),
      prices: new Map([[NAME, 900n]]),
      funds: money.funds,
    };
    const plan = renewDomains.decide(loaded, { names: [NAME], months: 12 }, context);
    return plan.changes[0] ?? expect.fail('nothing is renewed');
  },
  'delete, verified': remove(true),
  'delete, and the registrant is asked': remove(false),
  transfer: (domain) => {
    const found = {
      domain,
      sponsorName: 'Alpha Registrar',
      sponsorCode: 'ALPHA',
      wrongCodes: { count: 0, secondsLeft: null },
    };
    checkTransfer(found, { name: NAME, transferCode: CODE }, byOther());
    return transferredDomain(found, new Map([[MARI.id, JAAN]]), 'another-code', byOther());
  },
  'replace a nameserver': (domain) =>
    skipped(
      withOtherNameserver(domain, { current: 'ns1.example.net', next: nameserver('ns9.example.net') }, ee),
    ),
  'change nameservers of many': (domain) => {
    const change = {
      remove: 'all',
      add: [nameserver('ns8.example.net'), nameserver('ns9.example.net')],
    } as const;
    requireNone(checkListChange(domain, change, ee));
    return { operation: 'update', before: domain, after: withNameserverList(domain, change) };
  },
  'replace a tech': (domain) => skipped(withOtherTech(domain, MARI, JAAN)),
} satisfies Record<string, Decide>;
type OperationName = keyof typeof operations;

const PENDING: readonly DomainStatus[] = [
  'pendingCreate',
  'pendingDelete',
  'pendingDeleteConfirmation',
  'pendingRenew',
  'pendingTransfer',
  'pendingUpdate',
];
const UPDATE: readonly DomainStatus[] = [
  'clientUpdateProhibited',
  'serverUpdateProhibited',
  'serverObjUpdateProhibited',
  'deleteCandidate',
  ...PENDING,
];
const RENEW: readonly DomainStatus[] = [
  'clientRenewProhibited',
  'serverRenewProhibited',
  'deleteCandidate',
  'pendingDeleteConfirmation',
  'pendingRenew',
  'pendingTransfer',
  'pendingUpdate',
];
const DELETE: readonly DomainStatus[] = [
  'clientDeleteProhibited',
  'serverDeleteProhibited',
  'deleteCandidate',
  ...PENDING,
];

/** The statuses that prohibit an operation; all others do not affect it. */
const PROHIBITING: Readonly<Record<OperationName, readonly DomainStatus[]>> = {
  'a new transfer code': UPDATE,
  'a new registrant, verified': [...UPDATE, 'serverRegistrantChangeProhibited'],
  'a new registrant, who is asked': [...UPDATE, 'serverRegistrantChangeProhibited'],
  'another contact of the same holder': UPDATE,
  'add an admin': [...UPDATE, 'serverAdminChangeProhibited'],
  'add a tech': [...UPDATE, 'serverTechChangeProhibited'],
  'remove an admin': [...UPDATE, 'serverAdminChangeProhibited'],
  'remove a tech': [...UPDATE, 'serverTechChangeProhibited'],
  'add a nameserver': UPDATE,
  'remove a nameserver': UPDATE,
  'remove all nameservers': UPDATE,
  'add a key': [...UPDATE, 'serverExtensionUpdateProhibited'],
  'remove a key': [...UPDATE, 'serverExtensionUpdateProhibited'],
  'set clientHold': [...UPDATE, 'serverManualInzone'],
  'remove clientHold': UPDATE,
  renew: RENEW,
  'renew, one of many': RENEW,
  'delete, verified': DELETE,
  'delete, and the registrant is asked': DELETE,
  transfer: [
    'clientTransferProhibited',
    'serverTransferProhibited',
    'serverForceDelete',
    'clientUpdateProhibited',
    'serverUpdateProhibited',
    'deleteCandidate',
    ...PENDING,
  ],
  'replace a nameserver': UPDATE,
  'change nameservers of many': UPDATE,
  'replace a tech': [...UPDATE, 'serverTechChangeProhibited'],
};
const withNote = (status: DomainStatus): Domain => ({ ...FULL, statuses: { [status]: 'a note' } });

describe('statuses that prohibit operations', () => {
  test.each(Object.entries(PROHIBITING))('failure: %s, by these and by no others', (name, prohibiting) => {
    const decide = operations[name as OperationName];
    expect(refusalsOf(() => decide(FULL))).toEqual([]);
    const refused = storedStatuses.filter((status) => refusalsOf(() => decide(withNote(status))).length > 0);
    expect(refused.toSorted()).toEqual(prohibiting.toSorted());
  });

  test.each(Object.entries(operations))(
    'failure: %s is refused with the code of the status',
    (name, decide) => {
      for (const status of PROHIBITING[name as OperationName]) {
        const [refused] = refusalsOf(() => decide(withNote(status))).map(([reason]) => reason);
        const isLast = name === 'transfer' && status === 'deleteCandidate';
        expect([status, refused]).toEqual([status, isLast ? 'notTransferable' : 'statusProhibits']);
      }
    },
  );
});

describe('statuses that prohibit nothing', () => {
  /** A renewal also restores. */
  const LIFTED: readonly string[] = ['expired', 'pendingDelete'];

  test.each(Object.entries(operations))('success: %s leaves them as they are', (name, decide) => {
    const indifferent = storedStatuses.filter(
      (status) =>
        !PROHIBITING[name as OperationName].includes(status) &&
        !(name.startsWith('renew') && LIFTED.includes(status)) &&
        !(name === 'remove clientHold' && status === 'clientHold'),
    );
    expect(indifferent.length).toBeGreaterThan(10);
    for (const status of indifferent)
      expect([status, decide(withNote(status)).after.statuses[status]]).toEqual([status, 'a note']);
  });
});

test.each(Object.entries(operations))('failure: a domain of another registrar: %s', (name, decide) => {
  const foreign = { ...FULL, registrarId: OTHER_REGISTRAR };
  // A transfer is the only one that a sponsor cannot request; a replacement never reads a foreign domain.
  const expected = {
    transfer: ['alreadySponsor'],
    'replace a nameserver': [],
    'change nameservers of many': [],
    'replace a tech': [],
  };
  const refused = refusalsOf(() => decide(foreign)).map(([reason]) => reason);
  expect(refused).toEqual(name in expected ? expected[name as keyof typeof expected] : ['notSponsor']);
});
