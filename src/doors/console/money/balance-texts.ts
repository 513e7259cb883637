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
  readonly columns: readonly [day: string, kind: string, description: string, sum: string, balance: string];
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
  automaticOf: (amount, threshold) => `Over ${amount} and VAT, when the balance falls to ${threshold}`,
  notAutomatic: 'None',
  topUp: 'Top up',
  change: 'Change the warning and the automatic invoice',
  transactions: 'Transactions',
  kind: 'Kind',
  anyKind: 'All kinds',
  notKind: 'There is no such kind.',
  columns: ['Day', 'Kind', 'Description', 'Sum', 'Balance'],
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
  columns: ['Päev', 'Liik', 'Kirjeldus', 'Summa', 'Saldo'],
  none: 'Ükski kanne ei vasta filtrile.',
  noneYet: 'Kandeid veel ei ole.',
};

const TEXTS: Readonly<Record<Language, BalanceTexts>> = { en: english, et: estonian };
export const balanceTexts = (lang: Language): BalanceTexts => TEXTS[lang];
