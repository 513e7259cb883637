import { writePosition } from '../../platform/paging/position.ts';
import type { Policy } from '../../policy/policy.ts';
import type { readTimeline, TimelineEntry } from '../../registry/history/timeline.ts';
import { amountIn } from '../html/amount-in.ts';
import { isolated, momentIn } from '../html/language.ts';
import { type Html, html } from '../html/layout.ts';
import { pager } from '../html/pager.ts';
import { table } from '../html/table.ts';
import { consoleAddress, maySeePrices, type Visit } from './console-page.ts';
import { type TimelineTexts, timelineTexts } from './history-in-sentences.ts';

type Shown = Awaited<ReturnType<typeof readTimeline>> & {
  /** Of the object. */
  readonly path: string;
  readonly isFirst: boolean;
};

/** Everything that happened to an object, newest first. */
export function timelineView({ entries, next, path, isFirst }: Shown, visit: Visit, policy: Policy): Html {
  const texts = timelineTexts(visit.lang);
  const [when, what, who, charged] = texts.columns;
  const columns = [{ title: when }, { title: what }, { title: who }];
  const rows = entries.map((entry) => [
    momentIn(visit.lang, entry.at, policy),
    whatOf(entry, visit),
    entry.kind === 'change' && (entry.actor === null ? texts.registry : isolated(actorName(entry.actor))),
    ...(maySeePrices(visit) ? [chargeOf(entry, visit, policy)] : []),
  ]);
  return html`<h2 id="timeline">${texts.heading}</h2>
${rows.length === 0 ? html`<p>${texts.none}</p>\n` : table({ label: texts.heading, columns: maySeePrices(visit) ? [...columns, { title: charged, number: true }] : columns }, rows)}${pager(
  {
    label: texts.pages,
    start: isFirst ? undefined : { text: texts.newest, href: consoleAddress(path) },
    next: next && { text: texts.older, href: consoleAddress(path, { after: writePosition(next) }) },
  },
)}`;
}

const chargeOf = ({ charged }: TimelineEntry, { lang }: Visit, { currency }: Policy): string | false =>
  charged !== null && amountIn(lang, charged, currency);

/** Without the interface that the user or person came through. */
export const actorName = (actor: string): string => actor.slice(actor.indexOf(':') + 1);

function whatOf(entry: TimelineEntry, visit: Visit): Html {
  const texts = timelineTexts(visit.lang);
  if (entry.kind === 'message') return html`${texts.message}: ${entry.what}`;
  if (entry.kind === 'mail') return mailOf(entry, texts);
  const words = Object.hasOwn(texts.operations, entry.what) ? texts.operations[entry.what] : undefined;
  const changes = changesOf(entry, visit);
  return html`${words ?? html`<code>${entry.what}</code>`}${
    changes.length > 0 && html`<ul class="changes">${changes.map((change) => html`<li>${change}</li>`)}</ul>`
  }`;
}

const mailOf = ({ what, role, delivery }: TimelineEntry, { mail }: TimelineTexts): Html =>
  html`${mail.to[role ?? ''] ?? mail.toSomebody}: ${what} (${mail.deliveries[delivery ?? 'waiting']})`;

/** What was changed of an object that was there before and after. */
function changesOf({ before, after }: TimelineEntry, visit: Visit): Html[] {
  if (!before || !after) return [];
  const { noValue, masked } = timelineTexts(visit.lang);
  const shown = (name: string, value: unknown) =>
    value === undefined || value === null
      ? noValue
      : name === 'ident' && !visit.may('objects')
        ? masked
        : written(value);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(
      (name) =>
        html`<code>${name}</code>: ${isolated(shown(name, before[name]))} → ${isolated(shown(name, after[name]))}`,
    );
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(written).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  if ('hostname' in value) return String(value.hostname);
  const members = Object.entries(value);
  if (members.length === 0) return '–';
  return members.map(([name, each]) => (each === '' ? name : `${name}: ${written(each)}`)).join(', ');
}
