import { lastMonths, readFigures } from '../../../registry/figures/read-figures.ts';
import { weekdayOf } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { type ConsoleParts, definePage, type Visit } from '../console-page.ts';
import { newDomainLinks } from '../domains/domains-page.ts';
import { inSpareTurn, loadConcerns, loadDueRenewals } from './concerns.ts';
import { outlookCard } from './outlook-card.ts';
import { startTexts } from './start-texts.ts';
import { worklist } from './worklist.ts';
import { yearCard } from './year-card.ts';

/** What is to be done today, as far as the person may see it. */
export const startPage = definePage({
  path: '',
  right: undefined,
  menu: 'start',
  load: async (parts, visit) => {
    const { may } = visit;
    const [todo, figures, due] = await Promise.all([
      loadConcerns(parts, visit),
      may('read') ? readYear(parts, visit) : undefined,
      may('money') ? loadDueRenewals(parts, visit) : undefined,
    ]);
    return { ...todo, figures, due };
  },
  view: ({ concerns, snoozed, figures, due }, visit, parts) => {
    const texts = startTexts(visit.lang);
    const { account } = concerns;
    const body = html`<div class="head"><h1>${weekdayOf(visit.lang, visit.now, parts.policy)}</h1>${visit.may('objects') && newDomainLinks(visit)}</div>
<div class="cards"><div>${worklist({ concerns, snoozed }, visit, parts)}${figures && yearCard(figures, visit)}</div>
${account && outlookCard(account, due, visit, parts)}</div>
`;
    return { title: texts.title, body };
  },
});

const readYear = ({ database, policy: { timeZone } }: ConsoleParts, { principal, now }: Visit) =>
  inSpareTurn(database, principal, (db) => readFigures(db, lastMonths(now, timeZone), timeZone, principal));
