import { type Nameserver, parseNameserver } from '../../../registry/domains/rules/parse-nameservers.ts';
import { parseEach } from '../../../registry/domains/rules/parse-new-domain.ts';
import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { refusal } from '../form-refusals.ts';
import { onlyVersion } from '../only-version.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { domainAddress } from './domains-page.ts';
import { checkLines, nameserverLine, nameserversIn } from './list-fields.ts';
import { loadOwnDomain } from './own-domain.ts';
import { loadPresets, presetButtons, presetChosen } from './nameserver-presets.ts';
import { listed } from './preview-lists.ts';

const sortedLines = (hosts: readonly Nameserver[]) => hosts.map(nameserverLine).toSorted();

/** The nameservers of a domain, as they shall be afterwards. */
export const nameserversChange = definePreviewed({
  path: '/domains/:name/nameservers',
  right: 'objects',
  longFields: ['nameservers'],
  dryRun: { unless: [] },
  names: DOMAIN_FIELDS,
  load: async (parts, visit, input) => {
    const [domain, presets] = await Promise.all([
      loadOwnDomain(parts, visit, input),
      loadPresets(parts, visit),
    ]);
    return domain && { ...domain, presets };
  },
  showsAgain: presetChosen,
  version: ({ version }) => version,
  texts: ({ name, presets }, visit) => {
    const { nameservers, back } = changeTexts(visit.lang);
    return {
      title: nameservers.title(name),
      confirm: nameservers.confirm,
      top: presetButtons(presets, visit),
      back: { to: domainAddress(name), text: back },
    };
  },
  fields: ({ nameservers }, values, { lang }) => {
    const { fields, hints } = changeTexts(lang);
    return [
      {
        name: 'nameservers',
        label: fields.nameservers,
        hint: hints.nameservers,
        lines: 6,
        isOptional: true,
        value: values('nameservers', nameservers.map(nameserverLine).join('\n')),
      },
    ];
  },
  read: (form, { name, nameservers: present }) => {
    const tooLong = checkLines(form, 'nameservers');
    if (tooLong.length > 0) return { refusals: tooLong };
    const { values: wanted, refusals } = parseEach(nameserversIn(form.field('nameservers')), (text, index) =>
      parseNameserver(text, ['add', 'nameservers', index]),
    );
    if (refusals.length > 0) return { refusals };
    return {
      value: {
        name,
        // All of them are replaced, so that a refusal names the line; only the difference is written.
        remove: { nameservers: present.map(({ hostname }) => ({ hostname })) },
        add: { nameservers: wanted },
      },
    };
  },
  checkPreview: ({ add }, { nameservers: present }) =>
    sortedLines(add.nameservers).join('\n') === sortedLines(present).join('\n')
      ? [refusal('nothingChanges')]
      : [],
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateDomain, version), input, context),
  preview: ({ add }, { nameservers: present }, { lang }) => {
    const { fields, added, removed, happens, nameservers } = changeTexts(lang);
    const [wanted, before] = [add.nameservers.map(nameserverLine), present.map(nameserverLine)];
    return [
      [fields.nameservers, listed(wanted)],
      [added, listed(wanted.filter((line) => !before.includes(line)))],
      [removed, listed(before.filter((line) => !wanted.includes(line)))],
      [happens, wanted.length === 0 && nameservers.inactive],
    ];
  },
  done: (_answer, { name }) => ({ to: domainAddress(name), notice: 'domainChanged' }),
});
