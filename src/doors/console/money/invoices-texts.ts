import type { Status } from '../../../billing/invoices/invoice.ts';
import type { Language } from '../../html/layout.ts';

export type InvoicesTexts = {
  readonly title: string;
  readonly statuses: Readonly<Record<Status, string>>;
  readonly status: string;
  readonly anyStatus: string;
  readonly notStatus: string;
  readonly columns: readonly [number: string, issued: string, due: string, status: string, total: string];
  readonly none: string;
  readonly noneYet: string;
};

const english: InvoicesTexts = {
  title: 'Invoices',
  statuses: {
    unpaid: 'Unpaid',
    paid: 'Paid',
    failed: 'Payment failed',
    cancelled: 'Cancelled',
    overdue: 'Overdue',
    refunded: 'Refunded',
  },
  status: 'Status',
  anyStatus: 'Any status',
  notStatus: 'There is no such status.',
  columns: ['Number', 'Issued', 'Due', 'Status', 'Total'],
  none: 'No invoice matches.',
  noneYet: 'There are no invoices yet.',
};

const estonian: InvoicesTexts = {
  title: 'Arved',
  statuses: {
    unpaid: 'Tasumata',
    paid: 'Tasutud',
    failed: 'Makse ebaõnnestus',
    cancelled: 'Tühistatud',
    overdue: 'Tähtaeg möödas',
    refunded: 'Tagastatud',
  },
  status: 'Olek',
  anyStatus: 'Kõik olekud',
  notStatus: 'Sellist olekut ei ole.',
  columns: ['Number', 'Esitatud', 'Maksetähtaeg', 'Olek', 'Kokku'],
  none: 'Ükski arve ei vasta filtrile.',
  noneYet: 'Arveid veel ei ole.',
};

const TEXTS: Readonly<Record<Language, InvoicesTexts>> = { en: english, et: estonian };
export const invoicesTexts = (lang: Language): InvoicesTexts => TEXTS[lang];
