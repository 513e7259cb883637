import { updateDomain } from '../../../registry/domains/update.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { onlyVersion } from '../only-version.ts';
import { defineOperation } from '../operation-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-texts.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain } from './own-domain.ts';

/** Takes a domain out of the zone, or lets it in again. */
export const holdChange = defineOperation({
  ...{ path: '/domains/:name/hold', right: 'objects' },
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  version: ({ version }) => version,
  texts: ({ name, statuses }, { lang }) => {
    const { hold, release, back } = changeTexts(lang);
    const { title, confirm, happens } = 'clientHold' in statuses ? release : hold;
    return {
      ...{ title: title(name), confirm, lead: happens },
      back: { to: domainAddress(name), text: back },
    };
  },
  // The form says what it does: sent twice, it must not do the opposite.
  fields: ({ statuses }, values) => [
    {
      ...{ name: 'action', label: '', isHidden: true },
      value: values('action', 'clientHold' in statuses ? 'release' : 'hold'),
    },
  ],
  read: (form, { name }) => ({
    value: { name, isRelease: form.field('action') === 'release' },
  }),
  run: (database, { name, isRelease }, context, version) => {
    const statuses = [{ status: 'clientHold', mayBePresent: true }];
    const update = isRelease ? { name, remove: { statuses } } : { name, add: { statuses } };
    return runRegistryOperation(database, onlyVersion(updateDomain, version), update, context);
  },
  preview: ({ isRelease }, _domain, { lang }) => {
    const { hold, release, happens } = changeTexts(lang);
    return [[happens, (isRelease ? release : hold).happens]];
  },
  done: (_answer, { name, isRelease }) => ({
    to: domainAddress(name),
    notice: isRelease ? 'domainReleased' : 'domainHeld',
  }),
});
