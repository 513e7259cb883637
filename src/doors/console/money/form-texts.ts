import type { Language } from '../../html/layout.ts';

/** The forms about money. */
export type FormTexts = {
  readonly back: string;
  readonly topUp: {
    readonly title: string;
    readonly lead: string;
    readonly amount: string;
    readonly amountHint: (least: string) => string;
    readonly vat: (percent: string) => string;
    readonly total: string;
    readonly due: string;
    readonly confirm: string;
  };
  readonly settings: {
    readonly title: string;
    readonly lead: string;
    readonly lowBalance: string;
    readonly lowBalanceHint: string;
    readonly amount: string;
    readonly amountHint: string;
    readonly threshold: string;
    readonly thresholdHint: string;
    readonly confirm: string;
  };
};

const english: FormTexts = {
  back: 'Back to the account',
  topUp: {
    title: 'Top up the account',
    lead: 'We will issue an invoice for this amount plus VAT. Your balance is credited when the invoice is paid.',
    amount: 'Amount without VAT',
    amountHint: (least) => `Such as 100 or 1,500.00; at least ${least}.`,
    vat: (percent) => `VAT ${percent} %`,
    total: 'To be paid',
    due: 'Due',
    confirm: 'Issue the invoice',
  },
  settings: {
    title: 'Low balance',
    lead: 'What happens when the balance runs low. Leave a field empty to switch it off.',
    lowBalance: 'Send a message when the balance falls below',
    lowBalanceHint: 'Such as 200.00.',
    amount: 'Amount of the automatic invoice, without VAT',
    amountHint: 'Such as 1000.00. No second one is issued before the first is paid or cancelled.',
    threshold: 'Issue it when the balance falls to',
    thresholdHint: 'Such as 200.00, or 0.00. Only with an automatic invoice.',
    confirm: 'Save',
  },
};

const estonian: FormTexts = {
  back: 'Tagasi konto juurde',
  topUp: {
    title: 'Konto täiendamine',
    lead: 'Esitame arve, millel summale lisandub käibemaks. Konto täieneb summa võrra, kui arve on tasutud.',
    amount: 'Summa käibemaksuta',
    amountHint: (least) => `Näiteks 100 või 1500,00; vähemalt ${least}.`,
    vat: (percent) => `Käibemaks ${percent} %`,
    total: 'Tasuda',
    due: 'Maksetähtaeg',
    confirm: 'Esita arve',
  },
  settings: {
    title: 'Madal saldo',
    lead: 'Mis juhtub, kui saldo jääb väikeseks. Väljalülitamiseks jäta väli tühjaks.',
    lowBalance: 'Saada teade, kui saldo langeb alla',
    lowBalanceHint: 'Näiteks 200,00.',
    amount: 'Automaatse arve summa käibemaksuta',
    amountHint: 'Näiteks 1000,00. Teist arvet ei esitata enne, kui esimene on tasutud või tühistatud.',
    threshold: 'Esita see, kui saldo langeb piirini',
    thresholdHint: 'Näiteks 200,00 või 0,00. Ainult koos automaatse arvega.',
    confirm: 'Salvesta',
  },
};

const TEXTS: Readonly<Record<Language, FormTexts>> = { en: english, et: estonian };
export const formTexts = (lang: Language): FormTexts => TEXTS[lang];
