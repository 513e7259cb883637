import type { Language } from '../../html/layout.ts';
import type { ChangeTexts } from './change-form-words.ts';
import { englishChanges } from './english-changes.ts';
import { estonianChanges } from './estonian-changes.ts';

const TEXTS: Readonly<Record<Language, ChangeTexts>> = { en: englishChanges, et: estonianChanges };
export const changeTexts = (lang: Language): ChangeTexts => TEXTS[lang];
