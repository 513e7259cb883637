import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { domainPage } from './domain-page.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain } from './own-domain.ts';

// A click that is repeated sets it again, which changes nothing.
const STATUSES = [{ status: 'clientHold', mayBePresent: true }];
const OF_DOMAIN = {
  right: 'objects',
  page: domainPage,
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  to: ({ name }: { readonly name: string }) => domainAddress(name),
} as const;
const pathOf = (name: string, change: 'hold' | 'release') => `/domains/${encodeURIComponent(name)}/${change}`;

/** Takes a domain out of the zone. */
const hold = defineAtOnce({
  ...OF_DOMAIN,
  path: '/domains/:name/hold',
  read: (_form, { name }) => ({ value: { name, add: { statuses: STATUSES } } }),
  run: (database, update, context) => runRegistryOperation(database, updateDomain, update, context),
  done: 'domainHeld',
  undo: ({ name }) => ({ path: pathOf(name, 'release') }),
});

/** Lets it in again. */
const release = defineAtOnce({
  ...OF_DOMAIN,
  path: '/domains/:name/release',
  alreadySo: ['statusAbsent'],
  read: (_form, { name }) => ({ value: { name, remove: { statuses: STATUSES } } }),
  run: (database, update, context) => runRegistryOperation(database, updateDomain, update, context),
  done: 'domainReleased',
  undo: ({ name }) => ({ path: pathOf(name, 'hold') }),
});

export const holdChanges = [hold, release];
