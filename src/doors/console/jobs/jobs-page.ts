import { type BulkJob, listBulkJobs } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { pager } from '../../html/pager.ts';
import { table } from '../../html/table.ts';
import { consoleAddress, definePage } from '../console-page.ts';
import { PAGE_SIZE } from '../list-view.ts';
import { jobTexts } from './job-texts.ts';
import { doneOf, jobTag, numberIn, taskOf } from './job-words.ts';

export const jobAddress = ({ id }: Pick<BulkJob, 'id'>): string => consoleAddress(`/jobs/${id}`);

const NUMBER = /^\d{1,15}$/;

/** Changes of many domains, the newest first. */
export const jobsPage = definePage({
  path: '/jobs',
  right: 'objects',
  menu: 'jobs',
  load: async ({ database }, { principal }, input) => {
    const given = input.query('before');
    const before = NUMBER.test(given) ? Number(given) : undefined;
    const jobs = await listBulkJobs(database.reads, principal, { before, size: PAGE_SIZE + 1 });
    return { jobs: jobs.slice(0, PAGE_SIZE), isFirst: before === undefined, isMore: jobs.length > PAGE_SIZE };
  },
  view: ({ jobs, isFirst, isMore }, visit, { policy }) => {
    const texts = jobTexts(visit.lang);
    const { columns } = texts;
    const last = jobs.at(-1);
    const rows = jobs.map((job) => [
      html`<a href="${jobAddress(job)}">${taskOf(job.kind).texts(visit.lang).title}</a>`,
      jobTag(job, visit),
      texts.progress(numberIn(doneOf(job), visit), numberIn(job.total, visit)),
      isolated(job.personName),
      momentIn(visit.lang, job.createdAt, policy),
    ]);
    const body = html`<div class="head"><h1>${texts.title}</h1><nav aria-label="${texts.actions.label}"><ul class="actions"><li><a href="${consoleAddress('/bulk')}">${texts.begin}</a></li></ul></nav></div>
${
  rows.length === 0
    ? html`<p>${texts.none}</p>\n`
    : table(
        {
          label: texts.title,
          kind: 'list',
          columns: [
            { title: columns.what },
            { title: columns.state },
            { title: columns.progress, number: true },
            { title: columns.who },
            { title: columns.begun },
          ],
        },
        rows,
      )
}${pager({
  label: texts.pages,
  start: isFirst ? undefined : { text: texts.toStart, href: consoleAddress('/jobs') },
  next:
    isMore && last
      ? { text: texts.next, href: consoleAddress('/jobs', { before: String(last.sequence) }) }
      : undefined,
})}`;
    return { title: texts.title, body };
  },
});
