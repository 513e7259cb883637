import type { CausedEvent } from '../http/openapi-events.ts';

const LOW_BALANCE: CausedEvent = { type: 'balance.low', when: 'if the balance falls below your threshold' };
const UPDATED: readonly CausedEvent[] = [{ type: 'domain.updated' }];
const RENEWED: readonly CausedEvent[] = [{ type: 'domain.renewed' }, LOW_BALANCE];
const TRANSFERRED: readonly CausedEvent[] = [
  { type: 'domain.transferred_in' },
  { type: 'contact.created', when: 'if contacts are copied for you' },
  { type: 'domain.transferred_away', when: 'for the registrar that loses the domain' },
];

/**
 * The events that successful calls cause, by operation; those with a condition are not always written. Domains of
 * bulk calls have one each.
 */
export const callEvents: Readonly<Record<string, readonly CausedEvent[]>> = {
  createContact: [{ type: 'contact.created' }],
  updateContact: [{ type: 'contact.updated' }],
  deleteContact: [{ type: 'contact.deleted' }],
  createDomain: [{ type: 'domain.registered' }, LOW_BALANCE],
  updateDomain: [
    { type: 'domain.updated', when: 'if the change is made at once' },
    { type: 'domain.update_pending', when: 'if the registrant must confirm it' },
  ],
  deleteDomain: [
    { type: 'domain.deleted', when: 'if it is deleted at once' },
    { type: 'domain.deletion_pending', when: 'if the registrant must confirm it' },
  ],
  renewDomain: RENEWED,
  renewDomains: RENEWED,
  addDomainContacts: UPDATED,
  removeDomainContacts: UPDATED,
  addNameservers: UPDATED,
  removeNameserver: UPDATED,
  removeNameservers: UPDATED,
  addKeys: UPDATED,
  removeKeys: UPDATED,
  setStatus: UPDATED,
  removeStatus: UPDATED,
  replaceTechContact: UPDATED,
  replaceNameserver: UPDATED,
  transferDomain: TRANSFERRED,
  transferDomains: TRANSFERRED,
  addCredit: [{ type: 'invoice.issued' }],
  testWebhook: [{ type: 'webhook.test' }],
};
