import type { TransferRequest } from '../../../registry/transfers/check-transfer.ts';
import { previewTransfers } from '../../../registry/transfers/transfer-many.ts';
import { dayOfTime } from '../../html/language.ts';
import { defineBulk } from './define-bulk.ts';
import type { ListedDomain } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

const requestsOf = (listed: readonly ListedDomain[]): TransferRequest[] =>
  listed.map(({ name, code }) => ({ name, transferCode: code }));

/** Takes many domains over by their transfer codes. */
export const bulkTransfer = defineBulk<'transfer'>({
  kind: 'transfer',
  path: '/bulk/transfer',
  texts: (lang) => taskTexts(lang).transfer,
  fields: () => [],
  read: () => ({ value: {} }),
  valuesOf: () => ({}),
  lineHas: 'code',
  preview: ({ database }, _input, listed, context) => previewTransfers(database, requestsOf(listed), context),
  describe: ({ before: { expireTime } }, { lang }, { policy }) =>
    taskTexts(lang).transfer.comes(dayOfTime(lang, expireTime, policy)),
});
