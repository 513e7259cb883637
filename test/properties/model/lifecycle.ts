import { addHours, dayAt, type Moment, startOf } from './calendar.ts';
import { DELETED, registrantAnswer } from './messages.ts';
import type { Domain, RegistryModel } from './state.ts';

const OUTZONE_DAYS = 15;
const DELETE_DAYS = 45;
const REDEMPTION_DAYS = 31;
const CONFIRMATION_HOURS = 48;
const PURGE_HOURS = 24;
const CODES_HOURS = 1;
/** Whether the registry does by itself what falls due. */
const LIFECYCLE_RUNS = false;
/** The clock runs on between question and answer; so near to a due moment nobody can tell. */
const SECOND_MS = 1000;

const lapsesAt = (domain: Domain): Moment | undefined =>
  domain.request && addHours(domain.request.made.until, CONFIRMATION_HOURS);
const purgedBy = (domain: Domain): Moment | undefined =>
  domain.deleteDate &&
  Math.max(addHours(startOf(domain.deleteDate), PURGE_HOURS), startOf(domain.deleteDate.add({ days: 1 })));

/** Lets time pass: whatever falls due until `to` happens, in its order. */
export function passTime(model: RegistryModel, to: Moment): void {
  model.now = to;
  if (!LIFECYCLE_RUNS) return;
  for (const domain of model.domains.values()) age(model, domain, to);
}

function age(model: RegistryModel, domain: Domain, to: Moment): void {
  const lapse = lapsesAt(domain);
  if (lapse !== undefined && lapse <= to) lapseRequest(model, domain);
  if (startOf(domain.expiry) <= to && !domain.statuses.has('expired')) expire(domain);
  if (domain.outzone && domain.outzone.until <= to && !domain.statuses.has('serverManualInzone'))
    domain.statuses.add('serverHold');
  if (domain.deleteDate && startOf(domain.deleteDate) <= to) domain.statuses.add('deleteCandidate');
}

function expire(domain: Domain): void {
  domain.statuses.add('expired');
  const outzone = startOf(domain.expiry.add({ days: OUTZONE_DAYS }));
  domain.outzone = { from: outzone, until: outzone };
  domain.deleteDate = domain.expiry.add({ days: DELETE_DAYS });
}

function lapseRequest(model: RegistryModel, domain: Domain): void {
  if (domain.request)
    model.tell(domain.sponsor, registrantAnswer(domain.request.kind, 'lapsed'), domain.name);
  dropRequest(domain);
}

export function dropRequest(domain: Domain): void {
  domain.request = undefined;
  domain.statuses.delete('pendingUpdate');
  domain.statuses.delete('pendingDeleteConfirmation');
}

/** An explicit deletion: out of the zone now, purged after the days in which renewal brings it back. */
export function startDeletion(domain: Domain, from: Moment, until: Moment): void {
  domain.statuses.add('pendingDelete');
  if (!domain.statuses.has('serverManualInzone')) domain.statuses.add('serverHold');
  domain.outzone = { from, until };
  domain.deleteDate = dayAt(from).add({ days: REDEMPTION_DAYS });
}

/** Renewal takes a domain back from expiry and from deletion. */
export function rescue(domain: Domain): void {
  for (const status of ['expired', 'pendingDelete', 'pendingDeleteConfirmation', 'serverHold'])
    domain.statuses.delete(status);
  domain.outzone = undefined;
  domain.deleteDate = undefined;
}

/** The registry picks the moment of a purge by chance, within a day. */
export const mayBePurged = (domain: Domain): boolean => domain.statuses.has('deleteCandidate');
export const mustBePurged = (domain: Domain, now: Moment): boolean => {
  const last = purgedBy(domain);
  return LIFECYCLE_RUNS && last !== undefined && last <= now;
};

export function purge(model: RegistryModel, domain: Domain): void {
  model.remove(domain.sponsor, 'domain', domain.name);
  model.tell(domain.sponsor, DELETED, domain.name);
}

/** The next moments at which something happens by itself, soonest first. */
export function dueMoments(model: RegistryModel): Moment[] {
  const found = [...model.domains.values()].flatMap((domain) => [
    startOf(domain.expiry),
    domain.outzone?.until,
    domain.deleteDate && startOf(domain.deleteDate),
    purgedBy(domain),
    plusSecond(lapsesAt(domain)),
  ]);
  const codes = [...model.wrongCodes.values()].flatMap((moments) =>
    moments.map((moment) => addHours(moment, CODES_HOURS) + SECOND_MS),
  );
  const due = [...found, ...codes].filter((moment) => moment !== undefined && moment > model.now);
  return [...new Set(due as Moment[])].sort((one, other) => one - other);
}

const plusSecond = (at: Moment | undefined) => at && at + SECOND_MS;
