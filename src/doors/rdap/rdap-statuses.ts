/** The registered RDAP statuses (RFC 8056, RFC 9083) of each status of the registry; what has no equivalent is left out. */
const REGISTERED: Readonly<Record<string, readonly string[]>> = {
  inactive: ['inactive'],
  clientHold: ['client hold'],
  serverHold: ['server hold'],
  clientDeleteProhibited: ['client delete prohibited'],
  clientRenewProhibited: ['client renew prohibited'],
  clientTransferProhibited: ['client transfer prohibited'],
  clientUpdateProhibited: ['client update prohibited'],
  serverDeleteProhibited: ['server delete prohibited'],
  serverRenewProhibited: ['server renew prohibited'],
  serverTransferProhibited: ['server transfer prohibited'],
  serverUpdateProhibited: ['server update prohibited'],
  pendingCreate: ['pending create'],
  pendingRenew: ['pending renew'],
  pendingTransfer: ['pending transfer'],
  pendingUpdate: ['pending update'],
  // The domain still works: `pending delete` would alarm its readers before the registrant has answered.
  pendingDeleteConfirmation: ['pending update'],
  pendingDelete: ['pending delete', 'redemption period'],
  deleteCandidate: ['pending delete'],
  disputed: ['locked'],
  serverObjUpdateProhibited: ['locked'],
};

/** Each status once; `active` only if there is no other, as a domain without any works. */
export function rdapStatuses(statuses: readonly string[]): string[] {
  const isPastRedemption = statuses.includes('deleteCandidate');
  const shown = new Set(
    statuses
      .flatMap((status) => REGISTERED[status] ?? [])
      .filter((status) => !(isPastRedemption && status === 'redemption period')),
  );
  return shown.size === 0 ? ['active'] : [...shown];
}
