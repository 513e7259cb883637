import { head } from './raw-connection.ts';

const INVOICES = 50_000;
/** Numbers are chosen by the older system. */
const FIRST_NUMBER = 1_000_000;

const invoice = (number: number) => ({
  invoice_number: number,
  initiator: 'auction',
  transaction_amount: '124.00',
  status: 'paid',
  in_directo: true,
  e_invoice_sent_at: null,
  transaction_time: '2020-05-06T07:08:09Z',
});

/** The longest list of old invoices that is read, beginning with another number for each index. */
export const importBody = (index: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      Array.from({ length: INVOICES }, (_, place) => invoice(FIRST_NUMBER + index * INVOICES + place)),
    ),
  );

export const importHead = (length: number, authorization = ''): string =>
  head('POST /api/v1/import_data/invoice_data', [
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Connection: close',
  ]);
