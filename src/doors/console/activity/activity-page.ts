import {
  type Actors,
  listActors,
  listCallCounts,
  listCallDays,
} from '../../../registry/activity/read-calls.ts';
import { findChanges } from '../../../registry/history/find-changes.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { type FilterField, filterForm } from '../../html/filter-form.ts';
import { faultSummary } from '../../html/form.ts';
import { html } from '../../html/layout.ts';
import { listTexts } from '../list-texts.ts';
import { PAGE_SIZE } from '../list-view.ts';
import { givenParameters } from '../money/date-range.ts';
import { consoleAddress, definePage, type Visit } from '../console-page.ts';
import { type ActivityQuery, actorsNamed, readActivityQuery } from './activity-query.ts';
import { activityTexts } from './activity-texts.ts';
import { callDaysView, callsView, MAX_COUNTS_SHOWN } from './calls-view.ts';
import { changesView } from './changes-view.ts';

/** What the API users of the registrar call, and what everybody who acts for it has changed. */
export const activityPage = definePage({
  path: '/activity',
  right: 'access',
  menu: 'activity',
  load: async ({ database, policy, wallClock }, { principal }, input) => {
    // Calls are counted by the wall clock.
    const read = readActivityQuery(input, wallClock.now(), policy);
    const { who, period, days, after } = read;
    const { reads } = database;
    const actors = listActors(reads, principal);
    if (who === null || !period) return { read, actors: await actors, found: undefined };
    const query = { actors: who === undefined ? undefined : actorsNamed(who), after };
    const [listed, counts, changes] = await Promise.all([
      listCallDays(reads, days, who, policy.timeZone, principal),
      listCallCounts(reads, period, who, MAX_COUNTS_SHOWN + 1, principal),
      inListTurn(database, principal, (db) => findChanges(db, query, PAGE_SIZE, principal)),
    ]);
    return { read, actors: await actors, found: { days: listed, counts, changes } };
  },
  view: ({ read, actors, found }, visit, { policy }) => {
    const texts = activityTexts(visit.lang);
    const parameters = givenParameters(read.asked);
    const fields = filterFields(read, actors, visit);
    const list = listTexts(visit.lang);
    const form = filterForm({
      lang: visit.lang,
      label: texts.filter,
      fields,
      parameters,
      address: (given) => consoleAddress('/activity', given),
      texts: list,
    });
    const body = html`<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${faultSummary(list.wrong, fields)}${form}${
  found &&
  html`${callsView(found.counts, read.day, visit.lang)}${callDaysView(found.days, parameters, visit.lang)}${changesView(
    { ...found.changes, isFirst: read.after === undefined, parameters },
    visit.lang,
    policy,
  )}`
}`;
    return { title: texts.title, body, ...(!found && { status: 400 }) };
  },
});

/** Who has left the registrar can still be asked for by an address. */
function filterFields(
  { asked, day, period, who }: ActivityQuery,
  { users, people }: Actors,
  { lang }: Visit,
) {
  const texts = activityTexts(lang);
  const known = [...users, ...people];
  const named = asked.who === '' || known.includes(asked.who) ? known : [asked.who, ...known];
  const choices = [['', texts.anybody] as const, ...named.map((name) => [name, name] as const)];
  return [
    {
      name: 'day',
      label: texts.day,
      value: asked.day === '' ? day : asked.day,
      type: 'date',
      isMain: true,
      hint: texts.dayHint,
      ...(!period && { fault: texts.notDay }),
    },
    {
      name: 'who',
      label: texts.who,
      value: asked.who,
      isMain: true,
      choices,
      ...(who === null && { fault: texts.notWho }),
    },
  ] satisfies FilterField[];
}
