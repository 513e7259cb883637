import { newTransferCode } from '../../../registry/domains/create-domain.ts';
import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { onlyVersion } from '../only-version.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain } from './own-domain.ts';

/** A new transfer code, made here: people choose ones that can be guessed. */
export const transferCodeReplacement = definePreviewed({
  path: '/domains/:name/transfer-code/new',
  right: 'objects',
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  version: ({ version }) => version,
  texts: ({ name }, { lang }) => {
    const { transferCode, back } = changeTexts(lang);
    return {
      title: transferCode.title(name),
      confirm: transferCode.confirm,
      lead: transferCode.happens,
      back: { to: domainAddress(name), text: back },
    };
  },
  fields: () => [],
  read: (_form, { name }) => ({
    value: { name, transferCode: newTransferCode() },
  }),
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateDomain, version), input, context),
  preview: (_input, _domain, { lang }) => {
    const { transferCode, happens } = changeTexts(lang);
    return [[happens, transferCode.happens]];
  },
  done: (_answer, { name }) => ({ to: domainAddress(name), notice: 'transferCodeReplaced' }),
});
