import type { Language } from '../../html/layout.ts';

type ViewTexts = {
  readonly label: string;
  readonly all: string;
  readonly save: string;
  readonly edit: string;
  readonly name: string;
  readonly moving: string;
  readonly movingHint: string;
  readonly saveButton: string;
  readonly rename: string;
  readonly remove: string;
};

const english: ViewTexts = {
  label: 'Saved views',
  all: 'All',
  save: 'Save view',
  edit: 'Edit view',
  name: 'Name of the view',
  moving: 'Move the dates along with today',
  movingHint: 'Tomorrow each date of the filter is one day later.',
  saveButton: 'Save',
  rename: 'Rename',
  remove: 'Remove view',
};

const estonian: ViewTexts = {
  label: 'Salvestatud vaated',
  all: 'Kõik',
  save: 'Salvesta vaade',
  edit: 'Muuda vaadet',
  name: 'Vaate nimi',
  moving: 'Nihuta kuupäevi koos tänasega',
  movingHint: 'Homme on filtri iga kuupäev ühe päeva võrra hilisem.',
  saveButton: 'Salvesta',
  rename: 'Nimeta ümber',
  remove: 'Eemalda vaade',
};

const TEXTS: Readonly<Record<Language, ViewTexts>> = { en: english, et: estonian };
export const viewTexts = (lang: Language): ViewTexts => TEXTS[lang];
