import {
  type BulkJob,
  type BulkJobRow,
  findBulkJob,
  listBulkJobRows,
} from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { canBeUndone } from '../../../registry/bulk-jobs/undo-bulk-job.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { factList } from '../../html/fact-list.ts';
import { hiddenField } from '../../html/form.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { pager } from '../../html/pager.ts';
import { table } from '../../html/table.ts';
import { jobAddress } from './jobs-page.ts';
import { jobProgressAddress } from '../assets.ts';
import { AGAIN, BACK } from '../bulk/beginning-steps.ts';
import { moneyText } from '../bulk/bulk-views.ts';
import { bulkUndo } from '../bulk/undo-form.ts';
import {
  consoleAddress,
  type ConsoleParts,
  definePage,
  type PageInput,
  type Visit,
} from '../console-page.ts';
import { domainAddress } from '../domains/domains-page.ts';
import { refusalText } from '../refusal-texts.ts';
import { jobTexts } from './job-texts.ts';
import { doneOf, jobParameters, jobTag, numberIn, taskOf } from './job-words.ts';

/** Of those that failed: a file has all. */
const MAX_REFUSED = 200;
const PAGE = 100;
const NUMBER = /^\d{1,6}$/;

/** The job of an address. */
export const loadOwnJob = (
  { database }: ConsoleParts,
  { principal }: Visit,
  { params: { job = '' } }: PageInput,
): Promise<BulkJob | undefined> => findBulkJob(database.reads, principal, job);

/** What became of a change of many domains, those that failed first. */
export const jobPage = definePage({
  path: '/jobs/:job',
  right: 'objects',
  load: async (parts, visit, input) => {
    const job = await loadOwnJob(parts, visit, input);
    if (!job) return undefined;
    const given = input.query('after');
    const after = NUMBER.test(given) ? Number(given) : undefined;
    const read = (query: Parameters<typeof listBulkJobRows>[2]) =>
      inListTurn(parts.database, visit.principal, (db) => listBulkJobRows(db, job, query));
    const refused = after === undefined ? await read({ only: 'refused', size: MAX_REFUSED }) : [];
    const others = await read({ only: 'others', size: PAGE + 1, after });
    return { job, refused, others, isFirst: after === undefined };
  },
  view: ({ job, refused, others, isFirst }, visit, parts) => {
    const texts = jobTexts(visit.lang);
    const { title } = taskOf(job.kind).texts(visit.lang);
    const shown = others.slice(0, PAGE);
    const last = shown.at(-1);
    const isOpen = job.state === 'waiting' || job.state === 'running';
    const body = html`<div class="head"><h1>${title} ${jobTag(job, visit)}</h1></div>
${progress(job, visit)}${isOpen && html`<p data-running>${texts.goesOn} <a href="${jobAddress(job)}">${texts.show}</a></p>\n`}${jobFacts(job, visit, parts)}${jobActions(job, visit)}${
  refused.length > 0 &&
  html`<h2>${texts.refused(numberIn(job.refused, visit))}</h2>
${table(
  {
    label: texts.refused(numberIn(job.refused, visit)),
    columns: [{ title: texts.rows.domain }, { title: texts.rows.reason }],
  },
  refused.map((row) => [isolated(row.name), row.refusal && refusalText(row.refusal, visit.lang)]),
)}${job.refused > refused.length && html`<p class="quiet">${texts.further}</p>\n`}`
}${othersTable(job, shown, visit)}${pager({
  label: texts.pages,
  start: isFirst ? undefined : { text: texts.toStart, href: jobAddress(job) },
  next:
    others.length > PAGE && last
      ? { text: texts.next, href: `${jobAddress(job)}?after=${last.position}` }
      : undefined,
})}<p><a class="clear" href="${consoleAddress('/jobs')}">${texts.toJobs}</a></p>
`;
    return { title, body, ...(isOpen && { scripts: [jobProgressAddress] }) };
  },
});

function progress(job: BulkJob, visit: Visit): Html {
  const texts = jobTexts(visit.lang);
  const said = texts.progress(numberIn(doneOf(job), visit), numberIn(job.total, visit));
  return html`<p class="progress"><progress max="${job.total}" value="${doneOf(job)}" aria-label="${texts.columns.progress}"></progress> <span role="status">${said}</span></p>
`;
}

function jobFacts(job: BulkJob, visit: Visit, parts: ConsoleParts): Html {
  const { facts } = jobTexts(visit.lang);
  const open = job.total - doneOf(job);
  const ifAny = (count: number) => count > 0 && numberIn(count, visit);
  return factList([
    ...jobParameters(job, visit),
    [
      facts.undone,
      job.kind === 'undo' &&
        html`<a href="${jobAddress({ id: job.input.job })}">${jobTexts(visit.lang).showUndone}</a>`,
    ],
    [job.kind === 'registrant' ? facts.asked : facts.changed, numberIn(job.changed, visit)],
    [facts.unchanged, ifAny(job.unchanged)],
    [facts.refused, ifAny(job.refused)],
    [facts.open, ifAny(open)],
    [facts.charged, BigInt(job.charged) > 0n && moneyText(BigInt(job.charged), visit, parts)],
    [facts.who, isolated(job.personName)],
    [facts.begun, momentIn(visit.lang, job.createdAt, parts.policy)],
    [facts.finished, job.finishedAt && momentIn(visit.lang, job.finishedAt, parts.policy)],
  ]);
}

function jobActions(job: BulkJob, visit: Visit): Html {
  const { actions } = jobTexts(visit.lang);
  const button = (path: string, text: string, fields?: Html) =>
    html`<li><form method="post" action="${consoleAddress(path)}">${fields}<button class="plain">${text}</button></form></li>`;
  const task = taskOf(job.kind);
  const hasEnded = job.state === 'finished' || job.state === 'stopped';
  const undoes = task.reverse ? task : canBeUndone(job) && bulkUndo.task;
  const back =
    undoes &&
    html`<li><form method="post" action="${consoleAddress(undoes.path)}">${hiddenField('job', job.id)}<button class="plain" name="step" value="${BACK}">${actions.back(numberIn(job.changed, visit))}</button></form></li>`;
  const again = html`<li><form method="post" action="${consoleAddress(task.path)}">${hiddenField('job', job.id)}<button name="step" value="${AGAIN}">${actions.again(numberIn(job.refused, visit))}</button></form></li>`;
  return html`<nav aria-label="${actions.label}"><ul class="actions">${job.state === 'finished' && job.refused > 0 && again}${
    (job.state === 'waiting' || job.state === 'running') && button(`/jobs/${job.id}/stop`, actions.stop)
  }${job.state === 'stopped' && button(`/jobs/${job.id}/resume`, actions.resume)}${hasEnded && job.changed > 0 && back}<li><a href="${jobAddress(job)}/result.csv">${actions.file}</a></li></ul></nav>
`;
}

function othersTable(job: BulkJob, rows: readonly BulkJobRow[], visit: Visit): Html | false {
  if (rows.length === 0) return false;
  const texts = jobTexts(visit.lang);
  const label = texts.others(numberIn(job.total - job.refused, visit));
  return html`<h2>${label}</h2>
${table(
  { label, columns: [{ title: texts.rows.domain }, { title: texts.rows.result }] },
  rows.map(({ name, outcome, request }) => [
    html`<a href="${domainAddress(name)}">${isolated(name)}</a>`,
    request ? texts.requests[request] : texts.outcomes[outcome ?? 'open'],
  ]),
)}`;
}
