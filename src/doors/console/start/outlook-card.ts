import type { Balance } from '../../../registry/registrars/attention.ts';
import {
  type DueRenewals,
  firstUncoveredDay,
  remainingAt,
} from '../../../registry/registrars/balance-outlook.ts';
import { dayIn } from '../../../platform/values/dates.ts';
import { amountIn } from '../../html/amount-in.ts';
import { lineChart } from '../../html/chart.ts';
import { dayIn as dayText } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { type ConsoleParts, consoleAddress, type Visit } from '../console-page.ts';
import { figuresTexts } from '../figures/figures-texts.ts';
import { balanceTexts } from '../money/balance-texts.ts';
import { moneyTexts } from '../money/money-texts.ts';
import { startTexts } from './start-texts.ts';

const WEEKS = 12;

/** The balance, and how long it lasts if every domain that falls due is renewed. */
export function outlookCard(
  account: Balance,
  due: DueRenewals,
  visit: Visit,
  { policy }: ConsoleParts,
): Html {
  const { lang, now } = visit;
  const texts = startTexts(lang);
  const balance = BigInt(account.balance);
  const amount = (cents: bigint) => amountIn(lang, cents, account.currency);
  const uncovered = firstUncoveredDay(balance, due.days);
  const lastDay = due.days.at(-1)?.day;
  const lasts =
    uncovered !== undefined
      ? html`<strong class="low">${texts.enoughUntil(dayText(lang, uncovered))}</strong>`
      : due.isComplete || lastDay === undefined
        ? texts.enoughForYear
        : texts.enoughFor(dayText(lang, lastDay));
  const today = dayIn(policy.timeZone, now);
  const ends = Array.from({ length: WEEKS + 1 }, (_, weeks) => today.add({ weeks }).toString());
  const remaining = remainingAt(balance, due.days, ends);
  const points = ends.map((day, place) => {
    const rest = remaining[place] ?? 0n;
    return { label: dayText(lang, day), value: Number(rest) / 100, text: amount(rest) };
  });
  const drawing = lineChart({
    id: 'remaining',
    title: texts.remaining,
    description: texts.remainingFrom(points[0]?.text ?? '', points.at(-1)?.text ?? ''),
    points,
    tick: figuresTexts(lang).tick,
  });
  return html`<section class="card outlook"><h2>${moneyTexts(lang).balance}</h2>
<p class="large"><a href="${consoleAddress('/balance')}">${amount(balance)}</a></p>
<p>${lasts} <br><span class="quiet">${texts.ifRenewed}</span></p>
${drawing}<ul class="actions"><li><a href="${consoleAddress('/balance/top-up')}">${balanceTexts(lang).topUp}</a></li></ul>
</section>
`;
}
