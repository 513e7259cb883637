import { refuse } from '../refusals.ts';
import { domainOperation } from './change.ts';
import { withOwnStatus, withoutOwnStatus } from './own-statuses.ts';
import { refuseIfProhibited } from './statuses.ts';

type StatusChange = { readonly name: string; readonly status: string };

/** Takes the domain out of the zone until the registrar says otherwise. Again is no failure. */
export const setHold = domainOperation<StatusChange>((domain, { status }) => {
  if (status !== 'clientHold') refuse('statusUnsupported');
  refuseIfProhibited('update', domain.statuses, 'serverManualInzone');
  const after = withOwnStatus(domain, status);
  return { answer: { domain: domain.name, status }, operation: 'set clientHold', before: domain, after };
});

export const removeHold = domainOperation<StatusChange>((domain, { status }) => {
  if (status !== 'clientHold') refuse('statusUnsupported');
  if (!('clientHold' in domain.statuses)) refuse('statusAbsent');
  refuseIfProhibited('update', domain.statuses);
  const after = withoutOwnStatus(domain, status);
  return { answer: {}, operation: 'remove clientHold', before: domain, after };
});
