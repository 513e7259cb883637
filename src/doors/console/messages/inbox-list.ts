import type { Policy } from '../../../policy/policy.ts';
import type { FoundMessage } from '../../../registry/poll/find-messages.ts';
import { hiddenField } from '../../html/form.ts';
import { dayOfTime, isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { messageTexts } from './message-texts.ts';
import { messageWords } from './message-words.ts';

/** Messages of one type and day are one line from this number on. */
const MIN_GROUPED = 3;
const MAX_SUBJECTS = 3;

type Listed = {
  readonly rows: readonly FoundMessage[];
  /** The filters that were asked for. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The message that is open beside the list. */
  readonly open: number | undefined;
};

/** The messages by day, those of one type in one line, with boxes for those who may mark them as read. */
export function inboxList({ rows, parameters, open }: Listed, visit: Visit, policy: Policy): Html {
  const texts = messageTexts(visit.lang);
  const isOpen = visit.may('objects') && rows.some(({ readAt }) => readAt === null);
  const item = (row: FoundMessage) => itemOf(row, { parameters, open }, visit, policy);
  const days = [...Map.groupBy(rows, ({ createdAt }) => dayOfTime(visit.lang, createdAt, policy))];
  const list = days.map(
    ([day, ofDay]) => html`<h2>${day}</h2>
<ul>${[...Map.groupBy(ofDay, ({ type, readAt }) => `${type} ${readAt === null}`).values()].map((group) =>
      group.length < MIN_GROUPED
        ? group.map((row) => html`<li>${isOpen && boxOf([row], visit, policy)}${item(row)}</li>\n`)
        : html`<li>${isOpen && boxOf(group, visit, policy)}<details${group.some(({ id }) => id === open) && html` open`}><summary>${summaryOf(group, visit, policy)}</summary>
<ul>${group.map((row) => html`<li>${item(row)}</li>\n`)}</ul></details></li>
`,
    )}</ul>
`,
  );
  if (!isOpen) return html`${list}`;
  return html`<form method="post" action="${consoleAddress('/messages/acknowledge')}">
${Object.entries(parameters).map(([name, value]) => hiddenField(name, value))}${list}<p class="asks"><button>${texts.acknowledgeChosen}</button></p>
</form>
`;
}

/** One box for all messages of a line; what is read has none. */
function boxOf(group: readonly FoundMessage[], { lang }: Visit, policy: Policy): Html {
  const [first] = group;
  if (!first || first.readAt !== null) return html`<span class="nobox"></span>`;
  const texts = messageTexts(lang);
  const what =
    group.length === 1
      ? messageWords(first, lang, policy).text
      : `${texts.types[first.type]}, ${group.length}`;
  const ids = group.map(({ id }) => id).join(' ');
  return html`<input type="checkbox" name="message" value="${ids}" aria-label="${texts.choose(what)}">`;
}

function summaryOf(group: readonly FoundMessage[], { lang }: Visit, policy: Policy): Html {
  const texts = messageTexts(lang);
  const [first] = group;
  const subjects = group.map((row) => messageWords(row, lang, policy).subject).filter((text) => text !== '');
  const shown = subjects.slice(0, MAX_SUBJECTS).join(', ');
  const more = subjects.length - MAX_SUBJECTS;
  return html`<span class="what"><strong>${first && texts.types[first.type]}</strong> <span class="count">${group.length}</span></span>
<span class="about">${more > 0 ? texts.andMore(shown, more) : shown}</span>`;
}

function itemOf(
  row: FoundMessage,
  { parameters, open }: Pick<Listed, 'parameters' | 'open'>,
  { lang }: Visit,
  policy: Policy,
): Html {
  const { text, lang: spoken, subject } = messageWords(row, lang, policy);
  const current = row.id === open && html` aria-current="true"`;
  return html`<a class="item${row.readAt === null && ' unread'}" href="${messageAddress(row.id, parameters)}"${current}><span class="what"><strong>${messageTexts(lang).types[row.type]}</strong>${
    subject !== '' && html` ${isolated(subject)}`
  }</span> <span class="when">${momentIn(lang, row.createdAt, policy)}</span>
<span class="about"${spoken !== lang && html` lang="${spoken}"`}>${text}</span></a>`;
}

export const messageAddress = (id: number, parameters: Readonly<Record<string, string>> = {}): string =>
  consoleAddress(`/messages/${id}`, parameters);
