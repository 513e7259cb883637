import type { Language } from '../../html/layout.ts';

export type InvoiceTexts = {
  readonly title: (number: number) => string;
  readonly labels: Readonly<
    Record<'status' | 'issued' | 'due' | 'paid' | 'reference' | 'net' | 'total', string>
  >;
  readonly vat: (percent: string) => string;
  readonly pay: string;
  readonly payHint: string;
  readonly held: string;
  readonly unpayable: string;
  readonly ubl: string;
  readonly lines: string;
  readonly lineColumns: readonly [description: string, quantity: string, net: string];
  readonly payments: string;
  readonly paymentColumns: readonly [reference: string, state: string];
  readonly changes: string;
  readonly changeColumns: readonly [time: string, status: string];
  readonly back: string;
};

const english: InvoiceTexts = {
  title: (number) => `Invoice ${number}`,
  labels: {
    status: 'Status',
    issued: 'Issued',
    due: 'Due',
    paid: 'Paid',
    reference: 'Reference number',
    net: 'Net',
    total: 'Total',
  },
  vat: (percent) => `VAT ${percent} %`,
  pay: 'Pay this invoice',
  payHint:
    'The link leads to the payment provider. A bank transfer with the reference number pays the invoice too.',
  held: 'A payment of this invoice has arrived, and the registry is checking it. Do not pay again.',
  unpayable:
    'The payment provider cannot be used at the moment. A bank transfer with the reference number pays the invoice too.',
  ubl: 'Download as e-invoice (UBL)',
  lines: 'Lines',
  lineColumns: ['Description', 'Quantity', 'Net'],
  payments: 'Payments',
  paymentColumns: ['Reference', 'State at the provider'],
  changes: 'History',
  changeColumns: ['Time', 'Status'],
  back: 'All invoices',
};

const estonian: InvoiceTexts = {
  title: (number) => `Arve ${number}`,
  labels: {
    status: 'Olek',
    issued: 'Esitatud',
    due: 'Maksetähtaeg',
    paid: 'Tasutud',
    reference: 'Viitenumber',
    net: 'Ilma käibemaksuta',
    total: 'Kokku',
  },
  vat: (percent) => `Käibemaks ${percent} %`,
  pay: 'Tasu arve',
  payHint: 'Link viib makseteenuse lehele. Arve saab tasuda ka pangaülekandega, märkides viitenumbri.',
  held: 'Selle arve makse on laekunud ja register kontrollib seda. Ära maksa teist korda.',
  unpayable:
    'Makseteenust ei saa praegu kasutada. Arve saab tasuda ka pangaülekandega, märkides viitenumbri.',
  ubl: 'Laadi alla e-arvena (UBL)',
  lines: 'Arve read',
  lineColumns: ['Kirjeldus', 'Kogus', 'Ilma käibemaksuta'],
  payments: 'Maksed',
  paymentColumns: ['Viide', 'Olek makseteenuses'],
  changes: 'Ajalugu',
  changeColumns: ['Aeg', 'Olek'],
  back: 'Kõik arved',
};

const TEXTS: Readonly<Record<Language, InvoiceTexts>> = { en: english, et: estonian };
export const invoiceTexts = (lang: Language): InvoiceTexts => TEXTS[lang];
