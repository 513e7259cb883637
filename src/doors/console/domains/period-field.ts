import type { Refusal } from '../../../operations/refusal.ts';
import type { Field } from '../../html/form.ts';
import type { Language } from '../../html/layout.ts';
import type { Values } from '../form-definition.ts';
import { refusal } from '../form-refusals.ts';
import type { FormInput } from '../console-page.ts';
import { changeTexts } from './change-form-texts.ts';

const MAX_YEARS = 10;

/** How long a domain is registered or renewed for, in whole years. */
export const yearsField = (values: Values, lang: Language): Field => ({
  name: 'years',
  label: changeTexts(lang).fields.period,
  value: values('years', '1'),
  choices: Array.from({ length: MAX_YEARS }, (_, index) => index + 1).map(
    (count) => [String(count), changeTexts(lang).years(count)] as const,
  ),
});

export function readYears(form: FormInput): { readonly years: number; readonly refusals: Refusal[] } {
  const years = Number(form.field('years'));
  const isPeriod = Number.isInteger(years) && years >= 1 && years <= MAX_YEARS;
  return { years, refusals: isPeriod ? [] : [refusal('noPrice', { field: 'years' })] };
}
