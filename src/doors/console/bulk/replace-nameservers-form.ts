import { findDomainNames } from '../../../registry/domains/lists/search-domains.ts';
import {
  type Nameserver,
  parseHostname,
  parseNameserver,
} from '../../../registry/domains/rules/parse-nameservers.ts';
import {
  previewNameserverReplacement,
  replaceNameserver,
} from '../../../registry/domains/bulk/replace-nameserver.ts';
import { inPrimaryListTurn } from '../../../registry/list-turns.ts';
import { refusal } from '../form-refusals.ts';
import type { FormInput } from '../console-page.ts';
import { defineBulk } from './define-bulk.ts';
import { type ListedDomain, MAX_NAMES } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

type Input = {
  readonly current: string | undefined;
  readonly next: Nameserver;
  readonly attributes: object;
};
const namesOf = (listed: readonly ListedDomain[]) => listed.map(({ name }) => name);

/** Replaces one nameserver by another on many domains, or adds one. */
export const nameserverReplacement = defineBulk<Input>({
  path: '/bulk/nameservers',
  texts: (lang) => taskTexts(lang).nameserver,
  prefilled: ['current', 'nameserver', 'hostname', 'ipv4', 'ipv6'],
  fields: (values, { lang }) => {
    const { nameserver: texts } = taskTexts(lang);
    const address = (family: 'ipv4' | 'ipv6') => ({
      name: family,
      label: texts.addresses[family],
      hint: texts.addressesHint,
      value: values(family),
      isOptional: true,
      maxLength: 1_000,
    });
    return [
      {
        name: 'current',
        label: texts.current,
        hint: texts.currentHint,
        // The filter of the list by which somebody came here.
        value: values('current', values('nameserver')),
        isOptional: true,
        maxLength: 255,
      },
      { name: 'hostname', label: texts.next, value: values('hostname'), maxLength: 255 },
      address('ipv4'),
      address('ipv6'),
    ];
  },
  read: (form) => {
    const written = form.field('current').trim();
    const current = written === '' ? undefined : parseHostname(written);
    const attributes = attributesOf(form);
    const next = parseNameserver(attributes, ['next']);
    const refusals = [
      ...(written !== '' && current === undefined
        ? [refusal('wrongSyntax', { field: 'current', expected: 'the name of a host' })]
        : []),
      ...('refusals' in next ? next.refusals : []),
    ];
    return 'refusals' in next || refusals.length > 0
      ? { refusals }
      : { value: { current, next: next.value, attributes } };
  },
  allOf: async ({ database }, { current: nameserver }, { principal }) =>
    nameserver === undefined
      ? undefined
      : inPrimaryListTurn(database, principal, (db) =>
          findDomainNames(db, { filter: { nameserver }, order: 'name' }, MAX_NAMES, principal),
        ),
  noneHas: 'noDomainHasNameserver',
  preview: ({ database }, input, listed, context) =>
    previewNameserverReplacement(database, { ...input, names: undefined }, namesOf(listed), context),
  describe: ({ after }, { lang }) =>
    taskTexts(lang).nameserver.have(after.nameservers.map(({ hostname }) => hostname).join(', ')),
  run: ({ database }, input, listed, context) =>
    replaceNameserver(database, { ...input, names: namesOf(listed), allOrNone: true }, context),
});

function attributesOf(form: FormInput) {
  const words = (name: string) =>
    form
      .field(name)
      .split(/[\s,;]+/)
      .filter((word) => word !== '');
  return { hostname: form.field('hostname'), ipv4: words('ipv4'), ipv6: words('ipv6') };
}
