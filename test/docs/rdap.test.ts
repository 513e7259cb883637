import { expect, test } from 'vitest';
import { catalogue } from '../../src/doors/rdap/rdap-refusals.ts';
import { ee } from '../../src/policy/ee.ts';
import type { Audience, ContactField, DisclosureRules } from '../../src/policy/policy.ts';
import { readPage } from './markdown.ts';

const PAGE = readPage('docs/integrate/rdap.md');
const AUDIENCES: readonly Audience[] = ['public', 'registrar', 'sponsor', 'requester'];
const WORDS: Readonly<Record<ContactField, string>> = {
  code: 'code',
  name: 'name',
  ident: 'identification',
  country: 'country',
  email: 'e-mail',
  phone: 'phone',
  address: 'address',
};
const FIELDS = Object.keys(WORDS) as ContactField[];

function describeRules(rules: DisclosureRules): string {
  const of = (rule: string) =>
    FIELDS.filter((field) => rules[field] === rule)
      .map((field) => WORDS[field])
      .join(', ');
  if (of('shown').split(', ').length === FIELDS.length) return 'everything';
  return [of('shown'), of('preference') && `by consent: ${of('preference')}`].filter(Boolean).join('; ');
}

test('success: the table of visible fields follows the policy', () => {
  for (const role of ['registrant', 'admin', 'tech'] as const)
    for (const kind of ['person', 'organisation'] as const) {
      const cells = AUDIENCES.map((audience) => describeRules(ee.lookup.disclosure[audience][role][kind]));
      expect(PAGE).toContain(`| ${role}, ${kind} | ${cells.join(' | ')} |\n`);
    }
});

test('success: every refusal of RDAP has its text on the page', () => {
  for (const { text } of Object.values(catalogue)) expect(PAGE).toContain(text);
});
