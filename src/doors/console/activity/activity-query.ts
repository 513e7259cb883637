import type { Position } from '../../../platform/paging/position.ts';
import { readPosition } from '../../../platform/paging/position.ts';
import { textOfDay } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import { filterDay, filterText } from '../filter-text.ts';
import type { PageInput } from '../console-page.ts';

/** How many days the page counts up, the present one included. */
const DAYS_SHOWN = 14;

type Period = { readonly from: Date; readonly before: Date };

export type ActivityQuery = {
  readonly asked: { readonly day: string; readonly who: string };
  /** The day whose calls are shown, written yyyy-mm-dd. */
  readonly day: string;
  /** Undefined where the text is no day. */
  readonly period: Period | undefined;
  readonly days: Period;
  /** An API user or an email address; undefined for everybody, null for what is neither. */
  readonly who: string | undefined | null;
  readonly after: Position | undefined;
};

export function readActivityQuery(
  { query }: Pick<PageInput, 'query'>,
  now: Date,
  { timeZone }: Policy,
): ActivityQuery {
  const asked = { day: query('day'), who: query('who') };
  const today = textOfDay(timeZone, now);
  const day = asked.day === '' ? today : asked.day;
  const [from, before] = [filterDay(day, timeZone), filterDay(day, timeZone, 1)];
  return {
    asked,
    day,
    period: from && before ? { from, before } : undefined,
    days: {
      from: filterDay(today, timeZone, 1 - DAYS_SHOWN) ?? now,
      before: filterDay(today, timeZone, 1) ?? now,
    },
    who: filterText(asked.who),
    after: readPosition(query('after'), 'time'),
  };
}

/** As history writes them: an API user acts through the HTTP API or EPP, a person in the console. */
export const actorsNamed = (who: string): string[] => [`user:${who}`, `epp:${who}`, `person:${who}`];
