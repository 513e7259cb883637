import type { BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import type { BulkJob } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { type Html, html, type HtmlValue } from '../../html/layout.ts';
import { bulkForms } from '../bulk/bulk-overview-page.ts';
import type { BulkTask } from '../bulk/bulk-task.ts';
import { parameterFacts } from '../bulk/bulk-views.ts';
import type { Visit } from '../console-page.ts';
import { jobTexts } from './job-texts.ts';

const LOCALES = { en: 'en-GB', et: 'et' } as const;
export const numberIn = (count: number, { lang }: Pick<Visit, 'lang'>): string =>
  new Intl.NumberFormat(LOCALES[lang]).format(count);

/** The form that began a job. */
export function taskOf(kind: BulkKind): BulkTask {
  const found = bulkForms.find(({ task }) => task.kind === kind);
  if (!found) throw new Error(`no form begins jobs of the kind ${kind}`);
  return found.task as BulkTask;
}

/** What the form held. */
export function jobParameters({ kind, input }: BulkJob, visit: Visit): (readonly [string, HtmlValue])[] {
  const task = taskOf(kind);
  const values = task.valuesOf(input);
  return parameterFacts(task, (name) => values[name] ?? '', visit);
}

export const doneOf = ({ changed, unchanged, refused }: BulkJob): number => changed + unchanged + refused;

const COLOURS = { waiting: 'waiting', running: 'waiting', stopped: 'warn', finished: 'ok' } as const;

/** Amber and not green where a part of it failed. */
export function jobTag(job: BulkJob, { lang }: Visit): Html {
  const { states } = jobTexts(lang);
  const isMixed = job.state === 'finished' && job.refused > 0;
  const colour = isMixed ? 'warn' : COLOURS[job.state];
  return html`<span class="tag ${colour}">${isMixed ? states.finishedWithFailures : states[job.state]}</span>`;
}
