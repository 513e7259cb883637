import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { excerptOf } from '../../html/excerpt.ts';
import { fieldsOf } from './fields.ts';
import type { Call } from './model.ts';
import { callPath, eventPath, groupPath } from './places.ts';
import type { ShownApi, Site } from './site.ts';

/** A place of the reference. */
export type Found = {
  readonly title: string;
  readonly href: string;
  /** What it is. */
  readonly kind: string;
  readonly text: string;
};
/** Words in lower case, the weightiest first. */
type Entry = Found & { readonly words: readonly [title: string, names: string, text: string] };

export const MAX_QUERY_LENGTH = 100;
/** Each of them is looked for in everything. */
const MAX_WORDS = 8;
const MAX_FOUND = 50;
const WEIGHTS = [12, 5, 1] as const;

/** Finds the places that have all words of a query. It is made of the whole site once, while others are served. */
export async function makeSearch(site: Site): Promise<(query: string) => readonly Found[]> {
  const ofApis = await Promise.all(site.apis.map(entriesOfApi));
  const entries = ofApis.flat();
  return (query) => {
    const words = normalised(query.slice(0, MAX_QUERY_LENGTH)).split(' ').filter(Boolean).slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    return entries
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, MAX_FOUND)
      .map(({ entry: { title, href, kind, text } }) => ({ title, href, kind, text: excerptOf(text, words) }));
  };
}

/** Each word counts where it is weightiest, and more where it is the whole of a word. */
function scoreOf({ words: texts }: Entry, words: readonly string[]): number {
  const scores = words.map((word) =>
    Math.max(
      ...texts.map((text, place) => {
        if (!text.includes(word)) return 0;
        const isWhole = text.includes(` ${word} `);
        return (WEIGHTS[place] ?? 0) * (isWhole ? 2 : 1);
      }),
    ),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

async function entriesOfApi({ name, api }: ShownApi): Promise<Entry[]> {
  const calls = await mapInTurns(api.calls, 1, (call) => {
    const { id, method, path, summary, description } = call;
    const names = [id, method, path, ...namesIn(call, api.resolve)];
    return entryOf(summary, callPath(name, call), `${method} ${path}`, names, description);
  });
  return [
    ...api.groups.map((group) =>
      entryOf(group.name, groupPath(name, group), api.title, [], group.description),
    ),
    ...calls,
    ...api.events.map(({ type, summary }) => entryOf(type, eventPath(name, type), 'event', [], summary)),
  ];
}

/** Its parameters, fields, refusals and events. */
function namesIn({ parameters, body, answers, events }: Call, resolve: ShownApi['api']['resolve']): string[] {
  const schemas = [
    body?.schema,
    ...answers.filter(({ status }) => status.startsWith('2')).map(({ schema }) => schema),
  ];
  const fields = schemas.flatMap((schema) => (schema ? fieldsOf(schema, resolve) : []));
  const refusals = answers.flatMap(({ examples }) =>
    examples.flatMap(({ name, summary }) => [name, summary]),
  );
  return [
    ...parameters.map(({ name }) => name),
    ...fields.flatMap(({ path }) => path.split(/[.[\]]+/)),
    ...refusals,
    ...events.map(({ type }) => type),
  ];
}

function entryOf(title: string, href: string, kind: string, names: readonly string[], text: string): Entry {
  const words = [title, [...new Set(names)].join(' '), text] as const;
  return {
    title,
    href,
    kind,
    text,
    words: [normalised(words[0]), normalised(words[1]), normalised(words[2])],
  };
}

/** In lower case, with nothing but spaces between words; dots and hyphens are within names. */
const normalised = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}_./{}-]+/gu, ' ');
