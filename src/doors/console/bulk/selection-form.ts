import { MAX_COUNTED } from '../../../platform/paging/keyset-search.ts';
import { hiddenField } from '../../html/form.ts';
import { type Html, html } from '../../html/layout.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { listTexts } from '../list-texts.ts';
import { bulkTexts } from './bulk-texts.ts';
import { SELECTED } from './beginning-steps.ts';

type Selection = {
  /** The parameters of the list. */
  readonly parameters: Readonly<Record<string, string>>;
  /** All that match, as far as they were counted. */
  readonly count: number | undefined;
  /** Whether the list has other pages. */
  readonly hasPages: boolean;
};

/** The box that selects one domain of a list. */
export const selectionBox = (name: string, { lang }: Visit): Html =>
  html`<label class="pick"><input type="checkbox" name="chosen" value="${name}" autocomplete="off"><span class="hidden">${bulkTexts(lang).selection.one(name)}</span></label>`;

/**
 * A list of domains with a bar that appears when one is selected: what can be done with them. The script of the page
 * adds the number, and the box that selects the whole page.
 */
export function selectionForm(rows: Html, { parameters, count, hasPages }: Selection, visit: Visit): Html {
  const texts = bulkTexts(visit.lang).selection;
  const isCounted = count !== undefined && count <= MAX_COUNTED;
  const counted = isCounted ? listTexts(visit.lang).bounded(count) : undefined;
  const actions = [
    ['/bulk/renew', texts.renew],
    ['/bulk/nameservers', texts.nameservers],
    ['/bulk/contacts', texts.contacts],
    ['/bulk/keys', texts.keys],
    ['/bulk/registrant', texts.registrant],
    ['/bulk/hold', texts.hold],
  ] as const;
  return html`<form method="post" action="${consoleAddress('/bulk/renew')}" class="selection" data-page="${texts.page}">
${hiddenField('list', new URLSearchParams(parameters).toString())}${rows}<div class="selected" role="group" aria-label="${texts.label}"><output data-text="${texts.count('{}')}" hidden></output>${
    hasPages &&
    html`<label class="choice"><input type="checkbox" name="all" value="yes" autocomplete="off"${isCounted && html` data-count="${count}"`}> ${texts.all(counted)}</label>`
  }${actions.map(
    ([path, text]) =>
      html`<button formaction="${consoleAddress(path)}" name="step" value="${SELECTED}">${text}<span></span></button>`,
  )}<button type="reset" class="plain">${texts.clear}</button></div>
</form>
`;
}
