import { previewUndo } from '../../../registry/bulk-jobs/undo-bulk-job.ts';
import { codesOf, type Domain } from '../../../registry/domains/domain.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { taskTexts } from './task-texts.ts';

const JOB = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Takes a job back: each domain gets the lists that it had before, unless somebody has changed them since. */
export const bulkUndo = defineBulk<'undo'>({
  kind: 'undo',
  path: '/bulk/undo',
  texts: (lang) => taskTexts(lang).undo,
  prefilled: ['job'],
  fields: (values) => [{ name: 'job', label: '', value: values('job'), isHidden: true }],
  read: (form) => {
    const job = form.field('job');
    return JOB.test(job) ? { value: { job } } : { refusals: [refusal('objectMissing')] };
  },
  valuesOf: ({ job }) => ({ job }),
  preview: ({ database }, undo, listed, context) =>
    previewUndo(
      database,
      listed.map(({ name }) => name),
      undo,
      context,
    ),
  describe: ({ before, after }, { lang }) => {
    const texts = taskTexts(lang);
    if (before === after) return texts.undo.same;
    return LISTS.flatMap(([task, items]) => {
      const [was, is] = [items(before).join(', '), items(after).join(', ')];
      return was === is ? [] : [texts[task].become(was, is)];
    }).join('; ');
  },
});

const LISTS: readonly (readonly [
  'nameservers' | 'contacts' | 'keys',
  (domain: Domain) => readonly (string | number)[],
])[] = [
  ['nameservers', ({ nameservers }) => nameservers.map(({ hostname }) => hostname)],
  ['contacts', ({ contacts }) => codesOf(contacts, 'admin')],
  ['contacts', ({ contacts }) => codesOf(contacts, 'tech')],
  ['keys', ({ dnsKeys }) => dnsKeys.map(({ keyTag }) => keyTag)],
];
