import { addHours, type Moment } from './calendar.ts';
import { WRONG_CODES } from './messages.ts';
import type { RegistrarCode, RegistryModel, WrongCode } from './state.ts';

const MAX_WRONG_CODES = 10;

const recent = (model: RegistryModel, name: string, now: Moment): WrongCode[] =>
  (model.wrongCodes.get(name) ?? []).filter(({ at }) => addHours(at, 1) > now);

/** After too many wrong codes for a name a registrar is refused there for an hour; its sponsor never is. */
export const codesClosed = (model: RegistryModel, name: string, who: RegistrarCode): boolean =>
  model.domains.get(name)?.sponsor !== who &&
  recent(model, name, model.now).filter((wrong) => wrong.who === who).length >= MAX_WRONG_CODES;

/** Wrong codes of the sponsor do not count. From the limit on, over all registrars, the sponsor is notified, once an hour. */
export function countWrongCode(model: RegistryModel, name: string, who: RegistrarCode, at: Moment): void {
  const sponsor = model.domains.get(name)?.sponsor;
  if (sponsor === who) return;
  const before = recent(model, name, at);
  const notified =
    sponsor !== undefined && before.length + 1 >= MAX_WRONG_CODES && !before.some((wrong) => wrong.notified);
  model.wrongCodes.set(name, [...before, { who, at, notified }]);
  if (notified) model.tell(sponsor, WRONG_CODES, name);
}
