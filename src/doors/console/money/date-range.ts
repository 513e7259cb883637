import type { Policy } from '../../../policy/policy.ts';
import type { FilterField } from '../../html/filter-form.ts';
import type { Language } from '../../html/layout.ts';
import { filterDay } from '../filter-text.ts';
import type { PageInput } from '../console-page.ts';
import { moneyTexts } from './money-texts.ts';

export type AskedRange = { readonly from: string; readonly to: string };
type Bound = Date | undefined | null;

/** The days of a filter, each null where the text is no day; the last one is included. */
export function readRange(
  { query }: Pick<PageInput, 'query'>,
  { timeZone }: Policy,
): { readonly asked: AskedRange; readonly from: Bound; readonly before: Bound } {
  const asked = { from: query('from'), to: query('to') };
  return { asked, from: filterDay(asked.from, timeZone), before: filterDay(asked.to, timeZone, 1) };
}

/** The same as fields of the filter form. */
export function rangeFields(
  asked: AskedRange,
  { from, before }: { readonly from: Bound; readonly before: Bound },
  lang: Language,
): FilterField[] {
  const texts = moneyTexts(lang);
  const fault = (bound: Bound) => (bound === null ? { fault: texts.notDay } : {});
  return [
    { name: 'from', label: texts.from, value: asked.from, type: 'date', ...fault(from) },
    { name: 'to', label: texts.to, value: asked.to, type: 'date', ...fault(before) },
  ];
}

/** The parameters that were given, so that they lead to the same list again. */
export const givenParameters = (asked: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== ''));
