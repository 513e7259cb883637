import type { Sender } from '../../deliveries/deliver.ts';
import { post } from '../post.ts';
import { settleExports } from '../settle.ts';
import { readAccountingAnswer } from './answer.ts';
import { accountingNews } from './news.ts';
import { numbersIn } from './read-back.ts';

export type AccountingService = {
  /** The whole address; in the sandbox it is known only once the server listens. */
  readonly url: () => string | undefined;
  /** The name of the setting, for whoever has to set it. */
  readonly setting: string;
  readonly timeoutMs?: number;
};

/** It books a batch before it answers. */
const TIMEOUT_MS = 60_000;

/** Sends invoices to Directo: a form with the document, answered invoice by invoice. */
export function accountingSender({ url, setting, timeoutMs = TIMEOUT_MS }: AccountingService): Sender {
  return async (delivery) => {
    const address = url();
    if (address === undefined) throw new Error(`${setting} is not set`);
    const numbers = await numbersIn(delivery.body);
    const { status, bytes } = await post({
      url: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ put: '1', what: 'invoice', xmldata: delivery.body }).toString(),
      timeoutMs,
    });
    if (status < 200 || status > 299) throw new Error(`Answered ${status}`);
    const outcomes = await readAccountingAnswer(bytes, numbers, { repeated: delivery.attempts > 1 });
    return {
      invoices: numbers,
      write: async (db, now) => {
        await settleExports(db, delivery.id, outcomes, now);
        await accountingNews(db, delivery, { outcomes, answer: bytes.toString() }, now);
      },
    };
  };
}
