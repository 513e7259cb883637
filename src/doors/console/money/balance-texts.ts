import type { Language } from '../../html/layout.ts';

export type BalanceTexts = {
  readonly title: string;
  readonly low: (threshold: string) => string;
  readonly blocked: string;
  readonly warning: string;
  readonly warnedBelow: (threshold: string) => string;
  readonly notWarned: string;
  readonly automatic: string;
  readonly automaticOf: (amount: string, threshold: string) => string;
  readonly notAutomatic: string;
  readonly topUp: string;
  readonly change: string;
  readonly transactions: string;
  readonly kind: string;
  readonly anyKind: string;
  readonly notKind: string;
  readonly about: string;
  readonly aboutCustomer: string;
  readonly notAbout: string;
  readonly columns: Readonly<
    Record<'day' | 'domain' | 'what' | 'customer' | 'by' | 'sum' | 'balance', string>
  >;
  readonly period: (months: number) => string;
  readonly invoice: (number: number) => string;
  readonly registry: string;
  readonly unpaid: string;
  readonly noneUnpaid: string;
  readonly due: (day: string) => string;
  readonly allInvoices: string;
  readonly none: string;
  readonly noneYet: string;
};

const english: BalanceTexts = {
  title: 'Account',
  low: (threshold) => `Low: below ${threshold}`,
  blocked: 'Nothing can be bought until it is repaid. The next payment repays it first.',
  warning: 'Warning',
  warnedBelow: (threshold) => `A message comes when the balance falls below ${threshold}`,
  notWarned: 'No low-balance warning',
  automatic: 'Automatic invoice',
  automaticOf: (amount, threshold) => `${amount} plus VAT, when the balance falls to ${threshold}`,
  notAutomatic: 'None',
  topUp: 'Top up',
  change: 'Change the warning and the automatic invoice',
  transactions: 'Transactions',
  kind: 'Kind',
  anyKind: 'All kinds',
  notKind: 'There is no such kind.',
  about: 'Domain or invoice',
  aboutCustomer: 'Domain, customer or invoice',
  notAbout: 'This cannot be found: it has characters that no name has.',
  columns: {
    day: 'Day',
    domain: 'Domain',
    what: 'What',
    customer: 'Customer',
    by: 'By',
    sum: 'Amount',
    balance: 'Balance',
  },
  period: (months) =>
    months % 12 > 0 ? `${months} months` : months === 12 ? '1 year' : `${months / 12} years`,
  invoice: (number) => `invoice ${number}`,
  registry: 'Registry',
  unpaid: 'Unpaid invoices',
  noneUnpaid: 'None: everything is paid.',
  due: (day) => `due ${day}`,
  allInvoices: 'All invoices',
  none: 'No transaction matches.',
  noneYet: 'There are no transactions yet.',
};

const estonian: BalanceTexts = {
  title: 'Konto',
  low: (threshold) => `Madal: alla ${threshold}`,
  blocked: 'Kuni võlg on tasumata, ei saa midagi osta. Järgmise laekumisega tasutakse kõigepealt võlg.',
  warning: 'Hoiatus',
  warnedBelow: (threshold) => `Kui saldo langeb alla ${threshold}, saadetakse teade`,
  notWarned: 'Madala saldo kohta teadet ei saadeta',
  automatic: 'Automaatne arve',
  automaticOf: (amount, threshold) =>
    `${amount}, lisandub käibemaks; esitatakse, kui saldo langeb piirini ${threshold}`,
  notAutomatic: 'Puudub',
  topUp: 'Lisa kontole raha',
  change: 'Muuda hoiatust ja automaatset arvet',
  transactions: 'Kanded',
  kind: 'Liik',
  anyKind: 'Kõik liigid',
  notKind: 'Sellist liiki ei ole.',
  about: 'Domeen või arve',
  aboutCustomer: 'Domeen, klient või arve',
  notAbout: 'Selles on märke, mida üheski nimes ei ole.',
  columns: {
    day: 'Päev',
    domain: 'Domeen',
    what: 'Mis',
    customer: 'Klient',
    by: 'Kes',
    sum: 'Summa',
    balance: 'Saldo',
  },
  period: (months) =>
    months % 12 > 0 ? `${months} kuud` : months === 12 ? '1 aasta' : `${months / 12} aastat`,
  invoice: (number) => `arve ${number}`,
  registry: 'Register',
  unpaid: 'Tasumata arved',
  noneUnpaid: 'Kõik arved on tasutud.',
  due: (day) => `tähtaeg ${day}`,
  allInvoices: 'Kõik arved',
  none: 'Ükski kanne ei vasta filtrile.',
  noneYet: 'Kandeid veel ei ole.',
};

const TEXTS: Readonly<Record<Language, BalanceTexts>> = { en: english, et: estonian };
export const balanceTexts = (lang: Language): BalanceTexts => TEXTS[lang];
