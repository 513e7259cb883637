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
import { type Html, type HtmlValue, html, type Language } from '../../html/layout.ts';
import { type ConsoleParts, consoleAddress, type Visit } from '../console-page.ts';
import { figuresTexts } from '../figures/figures-texts.ts';
import { balanceTexts } from '../money/balance-texts.ts';
import { moneyTexts } from '../money/money-texts.ts';
import { startTexts } from './start-texts.ts';

const WEEKS = 12;

/** The balance and, where the renewals could be read, how long it lasts. */
export function outlookCard(
  account: Balance,
  due: DueRenewals | undefined,
  visit: Visit,
  parts: ConsoleParts,
): Html {
  const { lang } = visit;
  return html`<section class="card outlook"><h2>${moneyTexts(lang).balance}</h2>
<p class="large"><a href="${consoleAddress('/balance')}">${amountIn(lang, account.balance, account.currency)}</a></p>
${due && outlook(account, due, visit, parts)}<ul class="actions"><li><a href="${consoleAddress('/balance/top-up')}">${balanceTexts(lang).topUp}</a></li></ul>
</section>
`;
}

/** How long the balance lasts if every domain that falls due is renewed. */
function outlook(account: Balance, due: DueRenewals, { lang, now }: Visit, { policy }: ConsoleParts): Html {
  const texts = startTexts(lang);
  const balance = BigInt(account.balance);
  const today = dayIn(policy.timeZone, now);
  const ends = Array.from({ length: WEEKS + 1 }, (_, weeks) => today.add({ weeks }).toString());
  const remaining = remainingAt(balance, due.days, ends);
  const points = ends.map((day, place) => {
    const rest = remaining[place] ?? 0n;
    return {
      label: dayText(lang, day),
      value: Number(rest) / 100,
      text: amountIn(lang, rest, account.currency),
    };
  });
  const drawing = lineChart({
    id: 'remaining',
    title: texts.remaining,
    description: texts.remainingFrom(points[0]?.text ?? '', points.at(-1)?.text ?? ''),
    points,
    tick: figuresTexts(lang).tick,
  });
  return html`<p>${lastsUntil(balance, due, lang)} <br><span class="quiet">${texts.ifRenewed}</span></p>
${drawing}`;
}

function lastsUntil(balance: bigint, { days, isComplete }: DueRenewals, lang: Language): HtmlValue {
  const texts = startTexts(lang);
  const uncovered = firstUncoveredDay(balance, days);
  if (uncovered !== undefined)
    return html`<strong class="low">${texts.enoughUntil(dayText(lang, uncovered))}</strong>`;
  const last = days.at(-1);
  return isComplete || !last ? texts.enoughForYear : texts.enoughFor(dayText(lang, last.day));
}
