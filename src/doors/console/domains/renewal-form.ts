import { dayOf, monthsOf, renewedExpiry } from '../../../registry/domains/rules/periods.ts';
import { renewDomain } from '../../../registry/domains/renew-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { dayOfTime } from '../../html/language.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain } from './own-domain.ts';
import { readYears, yearsField } from './period-field.ts';

/** Renews one domain. The expiry that the form has shown guards against a second renewal. */
export const domainRenewal = definePreviewed({
  path: '/domains/:name/renew',
  right: 'objects',
  prefilled: ['years'],
  dryRun: { unless: [] },
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  texts: ({ name }, { lang }) => {
    const { renew, back } = changeTexts(lang);
    return {
      title: renew.title(name),
      confirm: renew.confirm,
      back: { to: domainAddress(name), text: back },
    };
  },
  fields: ({ expireTime }, values, { lang }, { policy }) => [
    {
      ...yearsField(values, lang),
      hint: changeTexts(lang).renew.expires(dayOfTime(lang, expireTime, policy)),
    },
    { name: 'expires', label: '', isHidden: true, value: values('expires', dayOf(expireTime, policy)) },
  ],
  read: (form, { name }) => {
    const { years, refusals } = readYears(form);
    if (refusals.length > 0) return { refusals };
    return { value: { name, months: monthsOf(years, 'y'), expDate: form.field('expires') } };
  },
  run: (database, input, context) => runRegistryOperation(database, renewDomain, input, context),
  preview: ({ months }, { expireTime }, { lang }, { policy }) => {
    const { renew, fields, years } = changeTexts(lang);
    const after = renewedExpiry(expireTime, months, policy);
    return [
      [fields.period, years(months / 12)],
      [renew.before, dayOfTime(lang, expireTime, policy)],
      [renew.after, dayOfTime(lang, after, policy)],
    ];
  },
  done: (_answer, { name }) => ({ to: domainAddress(name), notice: 'domainRenewed' }),
});
