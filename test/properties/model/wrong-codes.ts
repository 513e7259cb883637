import { addHours, type Moment } from './calendar.ts';
import { WRONG_CODES } from './messages.ts';
import type { RegistryModel } from './state.ts';

const MOST_WRONG_CODES = 10;

const recent = (model: RegistryModel, name: string, now: Moment) =>
  (model.wrongCodes.get(name) ?? []).filter((moment) => addHours(moment, 1) > now);

/** After too many wrong codes nobody is listened to for an hour. */
export const codesClosed = (model: RegistryModel, name: string): boolean =>
  recent(model, name, model.now).length >= MOST_WRONG_CODES;

/** The wrong code that reaches the limit is told to the sponsor. */
export function countWrongCode(model: RegistryModel, name: string, at: Moment): void {
  const moments = [...recent(model, name, at), at];
  model.wrongCodes.set(name, moments);
  const sponsor = model.domains.get(name)?.sponsor;
  if (moments.length === MOST_WRONG_CODES && sponsor) model.tell(sponsor, WRONG_CODES, name);
}
