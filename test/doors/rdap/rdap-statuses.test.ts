import { expect, test } from 'vitest';
import { rdapStatuses } from '../../../src/doors/rdap/rdap-statuses.ts';
import { storedStatuses } from '../../../src/registry/domains/rules/domain-statuses.ts';

test.each([
  [['ok'], ['active']],
  [['inactive'], ['inactive']],
  [['clientHold'], ['client hold']],
  [['serverHold', 'expired'], ['server hold']],
  [['clientDeleteProhibited'], ['client delete prohibited']],
  [['clientRenewProhibited'], ['client renew prohibited']],
  [['clientTransferProhibited'], ['client transfer prohibited']],
  [['clientUpdateProhibited'], ['client update prohibited']],
  [['serverDeleteProhibited'], ['server delete prohibited']],
  [['serverRenewProhibited'], ['server renew prohibited']],
  [['serverTransferProhibited'], ['server transfer prohibited']],
  [['serverUpdateProhibited'], ['server update prohibited']],
  [['pendingUpdate'], ['pending update']],
  [['pendingTransfer'], ['pending transfer']],
  [['pendingCreate'], ['pending create']],
  [['pendingRenew'], ['pending renew']],
  [['pendingDeleteConfirmation'], ['pending update']],
  [['pendingDeleteConfirmation', 'pendingUpdate'], ['pending update']],
  [['pendingDelete'], ['pending delete', 'redemption period']],
  [['deleteCandidate'], ['pending delete']],
  [
    ['pendingDelete', 'deleteCandidate', 'serverHold'],
    ['pending delete', 'server hold'],
  ],
  [['expired'], ['active']],
  [['serverForceDelete'], ['active']],
  [['serverManualInzone'], ['active']],
  [['serverReleaseProhibited'], ['active']],
  [['serverExtensionUpdateProhibited'], ['active']],
  [['serverRegistrantChangeProhibited'], ['active']],
  [['serverAdminChangeProhibited'], ['active']],
  [['serverTechChangeProhibited'], ['active']],
  [['disputed'], ['locked']],
  [['disputed', 'serverObjUpdateProhibited', 'expired'], ['locked']],
])('success: %j is shown as %j', (statuses, shown) => {
  expect(rdapStatuses(statuses)).toEqual(shown);
});

test('success: every set of statuses has one at least, each once, and active alone', () => {
  for (const one of storedStatuses)
    for (const other of storedStatuses) {
      const shown = rdapStatuses([one, other]);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown).toEqual([...new Set(shown)]);
      if (shown.includes('active')) expect(shown).toEqual(['active']);
    }
});
