import type { CallCount, CallDay } from '../../../registry/activity/read-calls.ts';
import { dayIn, isolated } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { consoleAddress } from '../console-page.ts';
import { activityTexts } from './activity-texts.ts';
import { resultKind } from './result-kind.ts';

export const MAX_COUNTS_SHOWN = 200;

/** The calls of one day, by user, call and result. */
export function callsView(counts: readonly CallCount[], day: string, lang: Language): Html {
  const texts = activityTexts(lang);
  const heading = texts.callsOf(dayIn(lang, day));
  const [who, call, result, number] = texts.callColumns;
  const rows = counts
    .slice(0, MAX_COUNTS_SHOWN)
    .map((count) => [
      isolated(count.username),
      html`${texts.interfaces[count.interface]} <code>${count.call}</code>`,
      `${count.result} ${texts.results[resultKind(count.result)]}`,
      texts.number(count.calls),
    ]);
  const columns = [{ title: who }, { title: call }, { title: result }, { title: number, number: true }];
  return html`<h2>${heading}</h2>
${rows.length === 0 ? html`<p>${texts.noCalls}</p>\n` : table({ label: heading, columns }, rows)}${
  counts.length > MAX_COUNTS_SHOWN && html`<p class="quiet">${texts.cut(MAX_COUNTS_SHOWN)}</p>\n`
}`;
}

/** How many there were on each of the last days, as links to the days. */
export function callDaysView(
  days: readonly CallDay[],
  parameters: Readonly<Record<string, string>>,
  lang: Language,
): Html {
  const texts = activityTexts(lang);
  const [day, calls, failed] = texts.dayColumns;
  const rows = days.map((each) => [
    html`<a href="${consoleAddress('/activity', { ...parameters, day: each.day })}">${dayIn(lang, each.day)}</a>`,
    texts.number(each.calls),
    texts.number(each.failed),
  ]);
  const columns = [{ title: day }, { title: calls, number: true }, { title: failed, number: true }];
  return html`<h2>${texts.days}</h2>
${rows.length === 0 ? html`<p>${texts.noDays}</p>\n` : table({ label: texts.days, columns }, rows)}`;
}
