import { addHours, dayAt, type Moment, type Span, startOf } from './calendar.ts';
import {
  DELETE_CANDIDATE,
  DELETED,
  EXPIRED,
  OUTZONED,
  REQUEST_WITHDRAWN,
  registrantAnswer,
} from './messages.ts';
import { type Domain, type RegistryModel, recode } from './state.ts';

const OUTZONE_DAYS = 15;
const DELETE_DAYS = 45;
const REDEMPTION_DAYS = 31;
const CONFIRMATION_HOURS = 48;
const PURGE_HOURS = 24;
const CODES_HOURS = 1;
/** The clock advances between request and answer; this close to a due moment the outcome is uncertain. */
const SECOND_MS = 1000;

const requestExpiresAt = (domain: Domain): Moment | undefined =>
  domain.request && addHours(domain.request.made.until, CONFIRMATION_HOURS);
const purgedBy = (domain: Domain): Moment | undefined =>
  domain.deleteDate &&
  Math.max(addHours(startOf(domain.deleteDate), PURGE_HOURS), startOf(domain.deleteDate.add({ days: 1 })));

/** Lets time pass: whatever falls due until `to` happens, in its order. */
export function simulateUntil(model: RegistryModel, to: Moment): void {
  model.now = to;
  for (const domain of model.domains.values()) age(model, domain, to);
}

type Event = {
  readonly at: Moment | undefined;
  readonly happen: (model: RegistryModel, domain: Domain) => void;
};

/** What has not happened yet to a domain. */
function ahead(domain: Domain): Event[] {
  const { statuses, expiry, outzone, deleteDate } = domain;
  const held = statuses.has('serverHold') || statuses.has('serverManualInzone');
  return [
    { at: requestExpiresAt(domain), happen: lapseRequest },
    { at: statuses.has('expired') ? undefined : startOf(expiry), happen: expire },
    { at: held ? undefined : outzone?.until, happen: leaveZone },
    { at: deleteDate && !mayBePurged(domain) ? startOf(deleteDate) : undefined, happen: nominate },
  ];
}

/** One event after the other: a domain that is purged meanwhile does not live to see the rest. */
function age(model: RegistryModel, domain: Domain, to: Moment): void {
  for (;;) {
    const end = Math.min(to, (purgedBy(domain) ?? Number.POSITIVE_INFINITY) - 1);
    const [next] = ahead(domain)
      .filter((event): event is Event & { at: Moment } => event.at !== undefined && event.at <= end)
      .sort((one, other) => one.at - other.at);
    if (!next) return;
    next.happen(model, domain);
  }
}

/** A pending deletion is not postponed by expiry. */
function expire(model: RegistryModel, domain: Domain): void {
  domain.statuses.add('expired');
  model.tell(domain.sponsor, EXPIRED, domain.name);
  if (domain.statuses.has('pendingDelete')) return;
  const outzone = startOf(domain.expiry.add({ days: OUTZONE_DAYS }));
  domain.outzone = { from: outzone, until: outzone };
  domain.deleteDate = domain.expiry.add({ days: DELETE_DAYS });
}

function leaveZone(model: RegistryModel, domain: Domain): void {
  domain.statuses.add('serverHold');
  model.tell(domain.sponsor, OUTZONED, domain.name);
}

/** The request to the registrant of a domain that is purged anyway is withdrawn. */
function nominate(model: RegistryModel, domain: Domain): void {
  domain.statuses.add('deleteCandidate');
  model.tell(domain.sponsor, DELETE_CANDIDATE, domain.name);
  if (domain.request) model.tell(domain.sponsor, REQUEST_WITHDRAWN, domain.name);
  dropRequest(domain);
}

function lapseRequest(model: RegistryModel, domain: Domain): void {
  model.tell(domain.sponsor, registrantAnswer(domain.request?.kind ?? 'update', 'lapsed'), domain.name);
  dropRequest(domain);
}

export function dropRequest(domain: Domain): void {
  domain.request = undefined;
  domain.statuses.delete('pendingUpdate');
  domain.statuses.delete('pendingDeleteConfirmation');
}

/** An explicit deletion: out of the zone now, purged after the days in which renewal brings it back. */
export function startDeletion(domain: Domain, at: Span): void {
  domain.statuses.add('pendingDelete');
  if (!domain.statuses.has('serverManualInzone')) domain.statuses.add('serverHold');
  domain.outzone = at;
  domain.deleteDate = dayAt(at.from).add({ days: REDEMPTION_DAYS });
}

/** Renewal restores a domain from expiry and from deletion. */
export function rescue(domain: Domain): void {
  for (const status of ['expired', 'pendingDelete', 'pendingDeleteConfirmation', 'serverHold'])
    domain.statuses.delete(status);
  domain.outzone = undefined;
  domain.deleteDate = undefined;
}

/** The registrant agrees, or does not. */
export function decide(model: RegistryModel, domain: Domain, confirmed: boolean, at: Span): void {
  const { request } = domain;
  if (!request) return;
  dropRequest(domain);
  const answer = confirmed ? 'confirmed' : 'rejected';
  model.tell(domain.sponsor, registrantAnswer(request.kind, answer), domain.name);
  if (answer !== 'confirmed') return;
  if (request.kind === 'delete') startDeletion(domain, at);
  if (request.newRegistrant) {
    domain.registrant = request.newRegistrant;
    recode(domain, request.newCode);
  }
}

/** The registry chooses a random moment within a day for a purge. */
export const mayBePurged = (domain: Domain): boolean => domain.statuses.has('deleteCandidate');
export const mustBePurged = (domain: Domain, now: Moment): boolean => {
  const last = purgedBy(domain);
  return last !== undefined && last <= now;
};

export function purge(model: RegistryModel, domain: Domain): void {
  model.remove(domain.sponsor, 'domain', domain.name);
  model.tell(domain.sponsor, DELETED, domain.name);
}

/** The next due moments, soonest first. */
export function dueMoments(model: RegistryModel): Moment[] {
  const exact = [...model.domains.values()].flatMap((domain) => [
    startOf(domain.expiry),
    domain.outzone?.until,
    domain.deleteDate && startOf(domain.deleteDate),
    purgedBy(domain),
  ]);
  const due = [...exact, ...uncertainSpans(model).map(({ until }) => until)].filter(
    (moment): moment is Moment => moment !== undefined && moment > model.now,
  );
  return [...new Set(due)].sort((one, other) => one - other);
}

/**
 * The first moment from `to` on that is not within a span in which something may have fallen due or not: a deadline
 * counts from a moment that is known only as lying between a call and its answer, and the registry looks for what is
 * due every few seconds.
 */
export function certainMoment(model: RegistryModel, to: Moment): Moment {
  const spans = uncertainSpans(model).sort((one, other) => one.from - other.from);
  return spans.reduce((moment, { from, until }) => (from <= moment && moment < until ? until : moment), to);
}

/** When requests lapse and wrong codes are forgotten, with a second before and after. */
function uncertainSpans(model: RegistryModel): Span[] {
  const after = ({ from, until }: Span, hours: number): Span => ({
    from: addHours(from, hours) - SECOND_MS,
    until: addHours(until, hours) + SECOND_MS,
  });
  const requests = [...model.domains.values()].flatMap(({ request }) => (request ? [request.made] : []));
  const codes = [...model.wrongCodes.values()].flat();
  return [
    ...requests.map((made) => after(made, CONFIRMATION_HOURS)),
    ...codes.map(({ at }) => after({ from: at, until: at }, CODES_HOURS)),
  ];
}
