import { type KeyListChange, previewKeyLists } from '../../../registry/domains/bulk/change-key-lists.ts';
import { parseNewDnsKey } from '../../../registry/domains/rules/dnssec-keys.ts';
import { parseEach } from '../../../registry/domains/rules/parse-new-domain.ts';
import type { Parsed } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { FormInput } from '../console-page.ts';
import { changeTexts } from '../domains/change-form-texts.ts';
import { keyLine } from '../domains/keys-form.ts';
import { checkLines, keysIn } from '../domains/list-fields.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { taskTexts } from './task-texts.ts';

const CHANGES = ['add', 'set', 'remove'] as const;

/** Adds DNSSEC keys to many domains, sets them, or removes all. */
export const keyLists = defineBulk<'keys'>({
  kind: 'keys',
  path: '/bulk/keys',
  texts: (lang) => taskTexts(lang).keys,
  prefilled: ['how'],
  longFields: ['keys'],
  fields: (values, { lang }) => {
    const texts = taskTexts(lang).keys;
    return [
      {
        name: 'how',
        label: texts.how,
        value: values('how', 'add'),
        choices: CHANGES.map((how) => [how, texts.changes[how]] as const),
      },
      {
        name: 'keys',
        label: texts.next,
        hint: changeTexts(lang).hints.keys,
        lines: 4,
        isOptional: true,
        value: values('keys'),
      },
    ];
  },
  read: readChange,
  valuesOf: ({ removesOthers, add }) => ({
    how: !removesOthers ? 'add' : add.length === 0 ? 'remove' : 'set',
    keys: add.map(keyLine).join('\n'),
  }),
  preview: ({ database }, change, listed, context) =>
    previewKeyLists(
      database,
      listed.map(({ name }) => name),
      change,
      context,
    ),
  describe: ({ before, after }, { lang }) => {
    const texts = taskTexts(lang).keys;
    if (before === after) return texts.same;
    const tags = ({ dnsKeys }: typeof before) => dnsKeys.map(({ keyTag }) => keyTag).join(', ');
    return texts.become(tags(before), tags(after));
  },
});

function readChange(form: FormInput, { policy }: { readonly policy: Policy }): Parsed<KeyListChange> {
  const how = CHANGES.find((known) => known === form.field('how'));
  if (!how) return { refusals: [refusal('wrongSyntax', { field: 'how', expected: CHANGES.join(', ') })] };
  if (how === 'remove') return { value: { removesOthers: true, add: [] } };
  const tooLong = checkLines(form, 'keys');
  if (tooLong.length > 0) return { refusals: tooLong };
  const written = keysIn(form.field('keys'));
  if (written.length === 0) return { refusals: [refusal('fieldMissing', { field: 'keys' })] };
  const { values, refusals } = parseEach(written, (text, index) =>
    parseNewDnsKey(text, ['add', 'dnsKeys', index], policy),
  );
  return refusals.length > 0 ? { refusals } : { value: { removesOthers: how === 'set', add: values } };
}
