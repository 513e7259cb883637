import { type DnsKey, parseNewDnsKey } from '../../../registry/domains/rules/dnssec-keys.ts';
import { parseEach } from '../../../registry/domains/rules/parse-new-domain.ts';
import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { CHECKED } from '../../html/form.ts';
import { refusal } from '../form-refusals.ts';
import { onlyVersion } from '../only-version.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { domainAddress } from './domains-page.ts';
import { checkLines, keysIn } from './list-fields.ts';
import { loadOwnDomain } from './own-domain.ts';
import { listed } from './preview-lists.ts';

export const keyLine = ({ flags, protocol, alg, publicKey }: DnsKey): string =>
  `${flags} ${protocol} ${alg} ${publicKey}`;

/** Removes keys by checkboxes, and adds those that are pasted. */
export const keysChange = definePreviewed({
  path: '/domains/:name/keys',
  right: 'objects',
  longFields: ['keys'],
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  version: ({ version }) => version,
  texts: ({ name }, { lang }) => {
    const { keys, back } = changeTexts(lang);
    return { title: keys.title(name), confirm: keys.confirm, back: { to: domainAddress(name), text: back } };
  },
  fields: ({ dnsKeys }, values, { lang }) => {
    const { fields, hints, keys } = changeTexts(lang);
    const boxes = dnsKeys.map(({ keyTag, flags, alg }, index) => ({
      name: `remove-${index}`,
      type: 'checkbox' as const,
      value: values(`remove-${index}`),
      label: keys.remove(keyTag, flags, alg),
    }));
    return [
      ...(boxes.length > 0 ? [{ legend: keys.present, fields: boxes }] : []),
      {
        name: 'keys',
        label: fields.newKeys,
        hint: hints.keys,
        value: values('keys'),
        lines: 4,
        isOptional: true,
      },
    ];
  },
  read: (form, { name, dnsKeys }, { policy }) => {
    const tooLong = checkLines(form, 'keys');
    if (tooLong.length > 0) return { refusals: tooLong };
    const { values: added, refusals } = parseEach(keysIn(form.field('keys')), (text, index) =>
      parseNewDnsKey(text, ['add', 'dnsKeys', index], policy),
    );
    const removed = dnsKeys.filter((_, index) => form.field(`remove-${index}`) === CHECKED);
    if (refusals.length > 0) return { refusals };
    return {
      value: {
        name,
        remove: { keys: removed },
        add: { keys: added },
      },
    };
  },
  checkPreview: ({ remove, add }) =>
    remove.keys.length + add.keys.length === 0 ? [refusal('nothingChanges')] : [],
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateDomain, version), input, context),
  preview: ({ remove, add }, { dnsKeys }, { lang }) => {
    const { added, removed, happens, keys } = changeTexts(lang);
    const isUnsigned = remove.keys.length === dnsKeys.length && add.keys.length === 0;
    return [
      [removed, listed(remove.keys.map(keyLine))],
      [added, listed(add.keys.map(keyLine))],
      [happens, isUnsigned && keys.unsigned],
    ];
  },
  done: (_answer, { name }) => ({ to: domainAddress(name), notice: 'domainChanged' }),
});
