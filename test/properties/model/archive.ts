import { addDuration, type Moment } from './calendar.ts';
import { ARCHIVED } from './messages.ts';
import type { Contact, RegistryModel } from './state.ts';

const IDLE = 'P6M';
/** Whether months are counted forward or back, from the moment or from its day, makes up to three days at a month's end. */
const SOONEST = '-P1D';
const LATEST = 'P5D';

/** Since when a contact is idle is known only as precisely as the registry was observed. */
export function noteIdleness(model: RegistryModel): void {
  for (const contact of model.contacts.values()) {
    if (model.isUsed(contact)) contact.idle = undefined;
    else contact.idle ??= { from: model.seenAt, until: model.now };
  }
  model.seenAt = model.now;
}

export const mayBeArchived = ({ idle }: Contact, now: Moment): boolean =>
  idle !== undefined && addDuration(addDuration(idle.from, IDLE), SOONEST) <= now;
export const mustBeArchived = ({ idle }: Contact, now: Moment): boolean =>
  idle !== undefined && addDuration(addDuration(idle.until, IDLE), LATEST) <= now;

export function archive(model: RegistryModel, { code, sponsor }: Contact): void {
  model.remove(sponsor, 'contact', code);
  model.tell(sponsor, ARCHIVED, code);
}
