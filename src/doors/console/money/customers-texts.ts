import type { Language } from '../../html/layout.ts';

type CustomersTexts = {
  readonly link: string;
  readonly title: (month: string) => string;
  readonly label: string;
  readonly each: string;
  readonly customer: string;
  readonly code: string;
  readonly charges: string;
  readonly sum: string;
  readonly total: (charges: string, customers: string, amount: string) => string;
  readonly cut: (most: string) => string;
  readonly none: string;
};

const english: CustomersTexts = {
  link: 'By customer',
  title: (month) => `Charges by customer, ${month}`,
  label: 'Customers',
  each: 'All transactions',
  customer: 'Customer',
  code: 'Code',
  charges: 'Charges',
  sum: 'Amount',
  total: (charges, customers, amount) => `Charges: ${charges}. Customers: ${customers}. Total: ${amount}.`,
  cut: (most) => `Only the last ${most} charges of the month are counted.`,
  none: 'Nothing was registered or renewed in this month.',
};

const estonian: CustomersTexts = {
  link: 'Klientide kaupa',
  title: (month) => `Tasud klientide kaupa, ${month}`,
  label: 'Kliendid',
  each: 'Kõik kanded',
  customer: 'Klient',
  code: 'Kood',
  charges: 'Tasusid',
  sum: 'Summa',
  total: (charges, customers, amount) => `Tasusid: ${charges}. Kliente: ${customers}. Kokku ${amount}.`,
  cut: (most) => `Arvestatud on ainult kuu viimased ${most} tasu.`,
  none: 'Sel kuul ei ole midagi registreeritud ega pikendatud.',
};

const TEXTS: Readonly<Record<Language, CustomersTexts>> = { en: english, et: estonian };
export const customersTexts = (lang: Language): CustomersTexts => TEXTS[lang];
