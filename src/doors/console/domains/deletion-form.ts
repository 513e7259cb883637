import { deleteDomain, deletionDay } from '../../../registry/domains/delete-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { CHECKED } from '../../html/form.ts';
import { dayIn, isolated } from '../../html/language.ts';
import { defineConfirmed } from '../confirmed-form.ts';
import { onlyVersion } from '../only-version.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain, storedDomain } from './own-domain.ts';

/** Deletes a domain: at once if the registrant wants it, otherwise after its confirmation. */
export const domainDeletion = defineConfirmed({
  path: '/domains/:name/delete',
  right: 'objects',
  needsRecentLogin: true,
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  version: ({ version }) => version,
  texts: ({ name }, { lang }) => {
    const { delete: texts, back } = changeTexts(lang);
    return {
      title: texts.title(name),
      confirm: texts.confirm,
      back: { to: domainAddress(name), text: back },
    };
  },
  consequence: ({ name }, { lang, now }, { policy }) => {
    const { delete: texts, fields, happens } = changeTexts(lang);
    return [
      [fields.name, isolated(name)],
      [happens, texts.pending(policy.domains.confirmationHours)],
      [texts.ifVerified, texts.atOnce(dayIn(lang, deletionDay({ now, policy })))],
    ];
  },
  typed: ({ name }) => name,
  fields: (_domain, values, { lang }) => {
    const { verified, verifiedHint } = changeTexts(lang).delete;
    const value = values('verified');
    return [{ name: 'verified', type: 'checkbox', label: verified, hint: verifiedHint, value }];
  },
  read: (form, { name }) => ({
    value: { name, verified: form.field('verified') === CHECKED, transferCode: undefined },
  }),
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(deleteDomain, version), input, context),
  stored: storedDomain,
  done: ({ domain }, { name }) => ({
    to: domainAddress(name),
    notice: domain.pending ? 'confirmationRequested' : 'domainDeleted',
  }),
});
