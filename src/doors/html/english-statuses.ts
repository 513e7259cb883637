import type { StatusTexts } from './status-words.ts';

const BY_REGISTRAR = 'The registrar has set this, usually to protect the domain. The registrar can lift it.';
const BY_REGISTRY = 'The registry has set this. The registrar of the domain knows the reason.';

export const englishStatuses: StatusTexts = {
  ok: { title: 'In order', explanation: 'The domain has no restriction.' },
  inactive: {
    title: 'Without nameservers',
    explanation:
      'The domain is registered, but has no nameservers. Web pages and mail under this name do not work until the registrar adds some.',
  },
  disputed: {
    title: 'Under dispute',
    explanation:
      'There is an open dispute about this name. Until it is decided the registrar can neither delete the domain nor give it to somebody else. If the domain is deleted because it has expired, only the party that wins the dispute can register the name.',
  },
  clientHold: {
    title: 'Why is this domain on hold by its registrar?',
    explanation:
      'Its registrar has taken it out of the zone: web pages and mail under this name do not work. Common reasons are an unpaid invoice, missing data or a complaint. Only the registrar can lift this.',
  },
  serverHold: {
    title: 'Why is this domain on hold by the registry?',
    explanation:
      'The registry has taken it out of the zone: web pages and mail under this name do not work. Usually the domain has expired; it can also be an order of a court or an authority. The registrar of the domain knows the reason.',
  },
  clientDeleteProhibited: { title: 'Deletion is locked by the registrar', explanation: BY_REGISTRAR },
  clientRenewProhibited: { title: 'Renewal is locked by the registrar', explanation: BY_REGISTRAR },
  clientTransferProhibited: { title: 'Transfer is locked by the registrar', explanation: BY_REGISTRAR },
  clientUpdateProhibited: { title: 'Changes are locked by the registrar', explanation: BY_REGISTRAR },
  serverDeleteProhibited: { title: 'Deletion is locked by the registry', explanation: BY_REGISTRY },
  serverRenewProhibited: { title: 'Renewal is locked by the registry', explanation: BY_REGISTRY },
  serverTransferProhibited: { title: 'Transfer is locked by the registry', explanation: BY_REGISTRY },
  serverUpdateProhibited: { title: 'Changes are locked by the registry', explanation: BY_REGISTRY },
  serverManualInzone: {
    title: 'Kept in the zone by the registry',
    explanation: 'The domain goes on working, even if it has expired or is to be deleted.',
  },
  serverRegistrantChangeProhibited: {
    title: 'A change of registrant is locked by the registry',
    explanation: BY_REGISTRY,
  },
  serverAdminChangeProhibited: {
    title: 'A change of administrative contacts is locked by the registry',
    explanation: BY_REGISTRY,
  },
  serverTechChangeProhibited: {
    title: 'A change of technical contacts is locked by the registry',
    explanation: BY_REGISTRY,
  },
  serverReleaseProhibited: {
    title: 'Release is locked by the registry',
    explanation:
      'The name does not become free, even if the time of the domain is over. The registrar of the domain knows the reason.',
  },
  serverExtensionUpdateProhibited: {
    title: 'Changes of DNSSEC keys are locked by the registry',
    explanation: BY_REGISTRY,
  },
  serverObjUpdateProhibited: {
    title: 'Locked against changes',
    explanation:
      'The registry makes no changes to this domain, no matter who asks for them, until this lock is lifted. It is often a protection that the registrant has asked for.',
  },
  serverForceDelete: {
    title: 'Why is this domain going to be deleted?',
    explanation:
      'The registry has begun to delete it, usually because the data of the registrant are wrong or missing. The registrant was told the reason by mail and can still remove it, with the help of the registrar.',
  },
  expired: {
    title: 'Expired',
    explanation:
      'The time for which the domain was paid is over. The registrar can renew it, unless renewal is locked.',
  },
  deleteCandidate: {
    title: 'About to be deleted',
    explanation:
      'The domain is removed within a day and can no longer be saved. After that anybody can register the name, unless it is reserved or blocked.',
  },
  pendingCreate: { title: 'Registration pending', explanation: 'The registration is not completed yet.' },
  pendingDelete: {
    title: 'Why does this domain not work?',
    explanation:
      'It was deleted at the wish of the registrant and is removed for good on the day named above. Until then the registrar can bring it back by renewing it.',
  },
  pendingDeleteConfirmation: {
    title: 'Deletion to be confirmed',
    explanation: 'The registrar has asked to delete the domain. The registrant has to confirm that first.',
  },
  pendingRenew: {
    title: 'Renewal pending',
    explanation: 'A renewal was asked for and is not completed yet.',
  },
  pendingTransfer: {
    title: 'Transfer pending',
    explanation: 'A change to another registrar was asked for and is not completed yet.',
  },
  pendingUpdate: {
    title: 'Change to be confirmed',
    explanation:
      'The registrar has asked for a new registrant. The present registrant has to confirm that first.',
  },
};
