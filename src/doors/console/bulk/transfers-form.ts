import type { TransferRequest } from '../../../registry/transfers/check-transfer.ts';
import { previewTransfers, transferMany } from '../../../registry/transfers/transfer-many.ts';
import { dayOfTime } from '../../html/language.ts';
import { defineBulk } from './define-bulk.ts';
import type { ListedDomain } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

const requestsOf = (listed: readonly ListedDomain[]): TransferRequest[] =>
  listed.map(({ name, code }) => ({ name, transferCode: code }));

/** Of the answer, or of what was stored of it. */
const hasFailed = (answer: object): boolean =>
  'failed' in answer && Array.isArray(answer.failed) && answer.failed.length > 0;

/** Takes many domains over by their transfer codes. */
export const bulkTransfer = defineBulk<undefined>({
  path: '/bulk/transfer',
  texts: (lang) => taskTexts(lang).transfer,
  fields: () => [],
  read: () => ({ value: undefined }),
  hasCodes: true,
  preview: ({ database }, _input, listed, context) => previewTransfers(database, requestsOf(listed), context),
  describe: ({ before: { expireTime } }, { lang }, { policy }) =>
    taskTexts(lang).transfer.comes(dayOfTime(lang, expireTime, policy)),
  run: async ({ database }, _input, listed, context) => {
    const outcome = await transferMany(database, requestsOf(listed), context, { allOrNone: true });
    return hasFailed(outcome.replayed ? outcome.stored : outcome.answer) ? undefined : outcome;
  },
});
