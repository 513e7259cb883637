import { type CountedLine, SNOOZES, snoozeEnd } from '../../../registry/people/snoozed-lines.ts';
import { hiddenField } from '../../html/form.ts';
import { shortDayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { type ConsoleParts, consoleAddress, type Visit } from '../console-page.ts';
import { icon } from '../icons.ts';
import { startTexts } from './start-texts.ts';

export const SNOOZE_PATH = '/snooze';
export const END_SNOOZE_PATH = '/snooze/end';

type Titled = CountedLine & { readonly title: string };

/** Puts a line off, by how many things it is about as they are shown. */
export function snoozeMenu({ key, count, title }: Titled, visit: Visit, { policy }: ConsoleParts): Html {
  const { lang, now } = visit;
  const texts = startTexts(lang);
  const choices = SNOOZES.map((snooze) => {
    const day = shortDayIn(lang, snoozeEnd(snooze, now, policy.timeZone), policy);
    return html`<button class="plain" name="until" value="${snooze}"><span>${texts.until[snooze]}, ${day}</span></button>`;
  });
  return html`<details class="menu snooze"><summary aria-label="${texts.snooze(title)}" title="${texts.snooze(title)}">${icon('snooze')}</summary><form class="drop" method="post" action="${consoleAddress(SNOOZE_PATH)}">${hiddenField('line', key)}${hiddenField('count', String(count))}${choices}</form></details>`;
}

type PutOff = Titled & { readonly href: string; readonly until: Date };

/** What is put off, each to be shown at once. */
export function snoozedLines(
  lines: readonly PutOff[],
  { lang }: Visit,
  { policy }: ConsoleParts,
): Html | false {
  const texts = startTexts(lang);
  return (
    lines.length > 0 &&
    html`<details class="postponed"><summary>${texts.snoozed(lines.length)}</summary><ul>${lines.map(
      ({ key, title, href, until }) =>
        html`<li><div><a href="${href}">${title}</a><p>${texts.untilDay} ${shortDayIn(lang, until, policy)}</p></div><form method="post" action="${consoleAddress(END_SNOOZE_PATH)}">${hiddenField('line', key)}<button class="plain">${texts.showNow}<span class="hidden">: ${title}</span></button></form></li>\n`,
    )}</ul></details>
`
  );
}
