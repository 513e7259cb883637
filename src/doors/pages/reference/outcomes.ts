import { guideOfRefusal } from '../../guide-links.ts';
import { type Html, type HtmlValue, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { prettyJson, prose } from './json.ts';
import { type Answer, type Call, type Example, members } from './model.ts';

/** One outcome of a call: a status and one of the cases that have it. */
export type Outcome = {
  readonly status: string;
  readonly description: string;
  readonly example: Example | undefined;
};

/** Outcomes common to many calls are shown once, so that each call lists only its own. */
export type Shared = { readonly byAll: readonly Outcome[]; readonly byChanges: readonly Outcome[] };

export const isChange = ({ parameters }: Call): boolean =>
  parameters.some(({ name }) => name === 'Idempotency-Key');
const isSuccess = ({ status }: { readonly status: string }): boolean => status.startsWith('2');
const keyOf = ({ status, example }: Outcome): string => `${status} ${example?.name}`;

function outcomesOf(answers: readonly Answer[]): Outcome[] {
  return answers
    .filter((answer) => !isSuccess(answer))
    .flatMap(({ status, description, examples }) =>
      (examples.length > 0 ? examples : [undefined]).map((example) => ({ status, description, example })),
    );
}

export function sharedOutcomes(calls: readonly Call[]): Shared {
  const byAll = inEvery(calls);
  const known = new Set(byAll.map(keyOf));
  return {
    byAll,
    byChanges: inEvery(calls.filter(isChange)).filter((outcome) => !known.has(keyOf(outcome))),
  };
}

function inEvery(calls: readonly Call[]): Outcome[] {
  const [first, ...others] = calls.map(({ answers }) => outcomesOf(answers));
  if (!first || others.length === 0) return [];
  const sets = others.map((outcomes) => new Set(outcomes.map(keyOf)));
  return first.filter((outcome) => outcome.example && sets.every((set) => set.has(keyOf(outcome))));
}

export function ownOutcomes(call: Call, { byAll, byChanges }: Shared): Outcome[] {
  const known = new Set([...byAll, ...(isChange(call) ? byChanges : [])].map(keyOf));
  return outcomesOf(call.answers).filter((outcome) => !known.has(keyOf(outcome)));
}

export function outcomeTable(label: string, outcomes: readonly Outcome[]): Html {
  const columns = [{ title: 'Status' }, { title: 'Code' }, { title: 'When' }];
  return table(
    { label, kind: 'outcomes', columns },
    outcomes.map(({ status, description, example }) => [
      html`<span class="status">${status}</span>`,
      codeOf(example),
      example ? folded(example, description) : prose(description),
    ]),
  );
}

/** An answer with one example, which names no refusal. */
const UNNAMED = 'example';

function folded({ name, summary, value }: Example, description: string): Html {
  return html`<details><summary>${prose(summary || description)}</summary>${prettyJson('Answer', value)}${name !== UNNAMED && html`<p>Explained: <a href="${guideOfRefusal(name)}"><code>${name}</code></a></p>`}</details>`;
}

function codeOf(example: Example | undefined): HtmlValue {
  const { code } = members(example?.value);
  return typeof code === 'number' ? html`<code>${code}</code>` : '';
}

/** The distinct statuses of outcomes. */
export const statusesOf = (outcomes: readonly Outcome[]): string =>
  [...new Set(outcomes.map(({ status }) => status))].join(', ');
