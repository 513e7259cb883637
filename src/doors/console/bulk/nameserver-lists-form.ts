import { exactly } from '../../../platform/paging/text-pattern.ts';
import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import {
  type NameserverListChange,
  previewNameserverLists,
} from '../../../registry/domains/bulk/change-nameserver-lists.ts';
import { findDomainNames } from '../../../registry/domains/lists/search-domains.ts';
import {
  type Nameserver,
  parseHostname,
  parseNameserver,
} from '../../../registry/domains/rules/parse-nameservers.ts';
import { parseEach } from '../../../registry/domains/rules/parse-new-domain.ts';
import { inPrimaryListTurn } from '../../../registry/list-turns.ts';
import type { FormInput } from '../console-page.ts';
import { checkLines, linesIn, nameserverLine, nameserversIn } from '../domains/list-fields.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { type ListedDomain, MAX_NAMES } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

export const NAMESERVER_CHANGES = ['set', 'replace', 'add', 'remove'] as const;
type How = (typeof NAMESERVER_CHANGES)[number];

const namesOf = (listed: readonly ListedDomain[]) => listed.map(({ name }) => name);

/** Sets, adds, removes or replaces nameservers of many domains, of each all at once. */
export const nameserverLists = defineBulk<'nameservers'>({
  kind: 'nameservers',
  path: '/bulk/nameservers',
  texts: (lang) => taskTexts(lang).nameservers,
  prefilled: ['how', 'current', 'nameserver', 'nameservers'],
  longFields: ['current', 'nameservers'],
  fields: (values, { lang }) => {
    const texts = taskTexts(lang).nameservers;
    return [
      {
        name: 'how',
        label: texts.how,
        value: values('how', 'set'),
        choices: NAMESERVER_CHANGES.map((how) => [how, texts.changes[how]] as const),
      },
      {
        name: 'nameservers',
        label: texts.next,
        hint: texts.nextHint,
        lines: 4,
        isOptional: true,
        value: values('nameservers'),
      },
      {
        name: 'current',
        label: texts.current,
        hint: texts.currentHint,
        lines: 3,
        isOptional: true,
        // The filter of the list by which somebody came here.
        value: values('current', values('nameserver')),
      },
    ];
  },
  read: readChange,
  valuesOf: ({ remove, add }) => ({
    how: remove === 'all' ? 'set' : add.length === 0 ? 'remove' : remove.length === 0 ? 'add' : 'replace',
    current: remove === 'all' ? '' : remove.join('\n'),
    nameservers: add.map(nameserverLine).join('\n'),
  }),
  allOf: async ({ database }, { remove }, { principal }) => {
    if (remove === 'all' || remove.length === 0) return undefined;
    const found = new Set<string>();
    for (const nameserver of remove) {
      const { names } = await inPrimaryListTurn(database, principal, (db) =>
        findDomainNames(
          db,
          { filter: { nameserver: exactly(nameserver) }, order: 'name' },
          MAX_NAMES + 1,
          principal,
        ),
      );
      for (const name of names) found.add(name);
    }
    const names = [...found].toSorted();
    return { names: names.slice(0, MAX_NAMES), isMore: names.length > MAX_NAMES };
  },
  noneHas: 'noDomainHasNameserver',
  preview: ({ database }, change, listed, context) =>
    previewNameserverLists(database, { ...change, names: namesOf(listed) }, context),
  describe: ({ before, after }, { lang }) => {
    const texts = taskTexts(lang).nameservers;
    const hostsOf = (hosts: readonly Nameserver[]) => hosts.map(({ hostname }) => hostname).join(', ');
    if (before === after) return texts.same;
    return texts.become(hostsOf(before.nameservers), hostsOf(after.nameservers));
  },
});

/** Whether it names hosts that domains are to lose, and hosts that they are to have. */
const NAMED: Readonly<Record<How, { readonly current: boolean; readonly next: boolean }>> = {
  set: { current: false, next: true },
  replace: { current: true, next: true },
  add: { current: false, next: true },
  remove: { current: true, next: false },
};

function readChange(form: FormInput): Parsed<NameserverListChange> {
  const how = NAMESERVER_CHANGES.find((known) => known === form.field('how'));
  if (!how)
    return { refusals: [refusal('wrongSyntax', { field: 'how', expected: NAMESERVER_CHANGES.join(', ') })] };
  const { current, next } = NAMED[how];
  const removed = current ? readHosts(form) : { values: [], refusals: [] };
  const added = next ? readNameservers(form) : { values: [], refusals: [] };
  const refusals = [...removed.refusals, ...added.refusals];
  if (refusals.length > 0) return { refusals };
  return { value: { remove: how === 'set' ? 'all' : removed.values, add: added.values } };
}

type Read<Value> = { readonly values: readonly Value[]; readonly refusals: readonly Refusal[] };

function readHosts(form: FormInput): Read<string> {
  const written = linesIn(form.field('current')).flatMap((line) => line.split(/[\s,;]+/));
  const tooLong = checkLines(form, 'current');
  if (tooLong.length > 0) return { values: [], refusals: tooLong };
  if (written.length === 0) return { values: [], refusals: [refusal('fieldMissing', { field: 'current' })] };
  return parseEach(written, (text) => {
    const hostname = parseHostname(text);
    return hostname === undefined
      ? { refusals: [refusal('wrongSyntax', { field: 'current', expected: 'the name of a host' })] }
      : { value: hostname };
  });
}

function readNameservers(form: FormInput): Read<Nameserver> {
  const tooLong = checkLines(form, 'nameservers');
  if (tooLong.length > 0) return { values: [], refusals: tooLong };
  const written = nameserversIn(form.field('nameservers'));
  if (written.length === 0)
    return { values: [], refusals: [refusal('fieldMissing', { field: 'nameservers' })] };
  return parseEach(written, (text, index) => parseNameserver(text, ['add', 'nameservers', index]));
}
