import type { FoundPage } from '../../../platform/paging/keyset-search.ts';
import { writePosition } from '../../../platform/paging/position.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { RegistrarChange } from '../../../registry/history/find-changes.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { pager } from '../../html/pager.ts';
import { table } from '../../html/table.ts';
import { listTexts } from '../list-texts.ts';
import { consoleAddress } from '../console-page.ts';
import { operationText } from '../history/operation-words.ts';
import { timelineTexts } from '../history/timeline-texts.ts';
import { activityTexts } from './activity-texts.ts';

type Shown = FoundPage<RegistrarChange> & {
  readonly isFirst: boolean;
  /** The filters that were asked for. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** What was changed in the name of the registrar, newest first. */
export function changesView(shown: Shown, lang: Language, policy: Policy): Html {
  const texts = activityTexts(lang);
  const { rows: changes, next, isCut, isFirst, parameters } = shown;
  const [when, object, what, who] = texts.changeColumns;
  const columns = [{ title: when }, { title: object }, { title: what }, { title: who }];
  const rows = withoutCopies(changes).map((change) => [
    momentIn(lang, change.at, policy),
    objectOf(change, lang),
    wordsOf(change, lang),
    change.actor === null
      ? timelineTexts(lang).authors[change.author ?? 'registry']
      : actorOf(change.actor, lang),
  ]);
  const list = listTexts(lang);
  const address = (more: Readonly<Record<string, string>>) =>
    `${consoleAddress('/activity', { ...parameters, ...more })}#changes`;
  return html`<h2 id="changes">${texts.changes}</h2>
${rows.length > 0 ? table({ label: texts.changes, columns }, rows) : !isCut && html`<p>${texts.noChanges}</p>\n`}${isCut && html`<p class="quiet">${list.cut}</p>\n`}${pager(
  {
    label: texts.pages,
    start: isFirst ? undefined : { text: texts.newest, href: address({}) },
    next: next && { text: isCut ? list.goOn : texts.older, href: address({ after: writePosition(next) }) },
  },
)}`;
}

/** Domains and contacts have pages. */
function objectOf({ objectKind, objectName }: RegistrarChange, lang: Language): Html {
  const { objects } = activityTexts(lang);
  const kind = Object.hasOwn(objects, objectKind) ? objects[objectKind] : objectKind;
  const name = isolated(objectName);
  const folder = objectKind === 'domain' ? 'domains' : objectKind === 'contact' ? 'contacts' : undefined;
  return folder
    ? html`${kind} <a href="${consoleAddress(`/${folder}/${encodeURIComponent(objectName)}`)}">${name}</a>`
    : html`${kind} ${name}`;
}

/** The copies that a transfer of the page tells of. */
function withoutCopies(changes: readonly RegistrarChange[]): readonly RegistrarChange[] {
  const copies = new Set(changes.flatMap((change) => change.copies));
  return changes.filter(({ operation, objectName }) => operation !== 'copy' || !copies.has(objectName));
}

function wordsOf({ objectKind, operation, copies }: RegistrarChange, lang: Language): Html {
  const words = operationText(objectKind, operation, lang);
  if (copies.length === 0) return words;
  const links = copies.map(
    (code, index) =>
      html`${index > 0 && ', '}<a class="within" href="${consoleAddress(`/contacts/${encodeURIComponent(code)}`)}">${isolated(code)}</a>`,
  );
  return html`${words}. ${activityTexts(lang).copies} ${links}`;
}

/** With the interface that the user or person came through. */
function actorOf(actor: string, lang: Language): Html {
  const colon = actor.indexOf(':');
  const { interfaces } = activityTexts(lang);
  const by = { user: interfaces.http, epp: interfaces.epp, person: interfaces.console }[
    actor.slice(0, colon)
  ];
  return html`${isolated(actor.slice(colon + 1))} (${by})`;
}
