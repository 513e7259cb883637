import type { Language } from '../html/layout.ts';

type FormButtonTexts = {
  readonly preview: string;
  readonly again: string;
  readonly refused: string;
  readonly partMissing: string;
  readonly nothingYet: string;
  readonly price: string;
  readonly free: string;
  readonly balanceAfter: string;
  readonly edit: string;
  readonly undo: string;
  readonly loggedInAgain: string;
  readonly typed: (name: string) => string;
};

const english: FormButtonTexts = {
  preview: 'Preview',
  again: 'Nothing was changed. Please correct this:',
  refused: 'Nothing was changed:',
  partMissing: 'Part of it is missing.',
  nothingYet: 'This is a preview. Nothing has been changed yet.',
  price: 'Price',
  free: 'Free of charge',
  balanceAfter: 'Balance afterwards',
  edit: 'Edit',
  undo: 'Undo',
  loggedInAgain:
    'Nothing has been changed yet. This is what you sent before you logged in: please confirm it.',
  typed: (name) => `Type ${name} to confirm`,
};

const estonian: FormButtonTexts = {
  preview: 'Eelvaade',
  again: 'Midagi ei muudetud. Palun paranda:',
  refused: 'Midagi ei muudetud:',
  partMissing: 'Osa sellest on puudu.',
  nothingYet: 'See on eelvaade. Midagi ei ole veel muudetud.',
  price: 'Hind',
  free: 'Tasuta',
  balanceAfter: 'Saldo pärast seda',
  edit: 'Muuda andmeid',
  undo: 'Võta tagasi',
  loggedInAgain: 'Midagi ei ole veel muudetud. Selle saatsid enne sisselogimist: palun kinnita see.',
  typed: (name) => `Kinnitamiseks kirjuta ${name}`,
};

const TEXTS: Readonly<Record<Language, FormButtonTexts>> = { en: english, et: estonian };
export const formButtonTexts = (lang: Language): FormButtonTexts => TEXTS[lang];
