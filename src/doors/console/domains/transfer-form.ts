import { type Refusal, Refused } from '../../../operations/refusal.ts';
import { parseDomainName } from '../../../registry/names/name.ts';
import { transferDomain } from '../../../registry/transfers/transfer-domain.ts';
import { isolated } from '../../html/language.ts';
import { refusal } from '../form-refusals.ts';
import { consoleAddress } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { domainAddress } from './domains-page.ts';

/** Takes a domain over from another registrar, by its transfer code. */
export const domainTransfer = definePreviewed({
  path: '/domains/transfer',
  right: 'objects',
  prefilled: ['name'],
  names: DOMAIN_FIELDS,
  load: async () => ({}),
  texts: (_, { lang }) => {
    const { transfer, backToList } = changeTexts(lang);
    const back = { to: consoleAddress('/domains'), text: backToList };
    return { title: transfer.title, confirm: transfer.confirm, back };
  },
  fields: (_, values, { lang }) => {
    const { fields, hints } = changeTexts(lang);
    return [
      { name: 'name', label: fields.name, hint: hints.name, value: values('name'), maxLength: 300 },
      {
        name: 'transferCode',
        label: fields.transferCode,
        value: values('transferCode'),
        autocomplete: 'off',
      },
    ];
  },
  read: (form, _, { policy }) => {
    const text = (name: string) => form.field(name).trim();
    const name = parseDomainName(text('name'), policy)?.unicode;
    const refusals: Refusal[] = ['name', 'transferCode']
      .filter((field) => text(field) === '')
      .map((field) => refusal('fieldMissing', { field }));
    if (name === undefined && text('name') !== '') refusals.push(refusal('domainUnknown', { field: 'name' }));
    return refusals.length > 0 || name === undefined
      ? { refusals }
      : { value: { name, transferCode: text('transferCode') } };
  },
  run: async (database, input, context) => {
    try {
      return await transferDomain(database, input, context);
    } catch (error) {
      if (!(error instanceof Refused) || !['missing', 'gone'].includes(error.refusals[0].kind)) throw error;
      throw new Refused(refusal('domainUnknown', { field: 'name' }));
    }
  },
  preview: ({ name }, _, { lang }) => {
    const { transfer, fields, happens } = changeTexts(lang);
    return [
      [fields.name, isolated(name)],
      [happens, transfer.happens],
    ];
  },
  done: (_answer, { name }) => ({ to: domainAddress(name), notice: 'domainTransferred' }),
});
