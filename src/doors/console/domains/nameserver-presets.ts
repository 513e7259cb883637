import { listUsedNameservers } from '../../../registry/domains/lists/used-nameservers.ts';
import { type Html, html } from '../../html/layout.ts';
import type { ConsoleParts, FormInput, Visit } from '../console-page.ts';
import { changeTexts } from './change-form-texts.ts';

/** What the button of a set sends as the step of its form. */
const HOSTS = 'hosts:';

export const loadPresets = (
  { database }: ConsoleParts,
  { principal }: Visit,
): Promise<(readonly string[])[]> => listUsedNameservers(database.reads, principal.registrarId);

/** The button fills the field in, and shows the form again; undefined for its other buttons. */
export function presetChosen({ field }: FormInput): Readonly<Record<string, string>> | undefined {
  const step = field('step');
  return step.startsWith(HOSTS) ? { nameservers: step.slice(HOSTS.length).split(',').join('\n') } : undefined;
}

/** The registrar's usual sets of nameservers, each as a button. */
export const presetButtons = (sets: readonly (readonly string[])[], { lang }: Visit): Html | undefined =>
  sets.length === 0
    ? undefined
    : html`<p class="presets"><span>${changeTexts(lang).presets}</span>${sets.map(
        (hosts) =>
          html` <button class="plain" name="step" value="${HOSTS}${hosts.join(',')}" formnovalidate>${hosts.join(', ')}</button>`,
      )}</p>
`;
