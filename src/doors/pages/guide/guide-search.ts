import MiniSearch from 'minisearch';
import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { excerptOf } from '../../html/excerpt.ts';
import type { GuideMap, MappedPage } from './guide-map.ts';
import { blocksOf, sectionsOf } from './markdown-blocks.ts';

/** A place of the guide. */
export type FoundPlace = {
  readonly title: string;
  readonly page: MappedPage;
  readonly href: string;
  readonly text: string;
};
type Place = FoundPlace & { readonly isRow: boolean };
type Entry = Place & { readonly id: number };

const MAX_WORDS = 8;
const MAX_FOUND = 30;
const SECTIONS_PER_TURN = 40;
const TITLE_WEIGHT = 3;
const PAGE_WEIGHT = 1.5;
/** Of the length of a word: how many letters may differ. */
const FUZZINESS = 0.2;
/** Rows have few words, so that each counts for much; what no way leads to is rarely looked for. */
const ROW_WEIGHT = 0.5;
const OTHER_WEIGHT = 0.3;
/** Questions are asked in whole sentences too. */
const IGNORED = new Set(
  'a an and are as at be by can do does for from how i if in is it my of on or the this to we what when where which who why with you'.split(
    ' ',
  ),
);
const termOf = (word: string): string | undefined => {
  const term = word.toLowerCase();
  return IGNORED.has(term) ? undefined : term;
};

/** The index over the sections of all pages, which is made once, while others are served. */
export async function makeGuideSearch({
  pages,
}: GuideMap): Promise<(query: string) => readonly FoundPlace[]> {
  const ofPages = await mapInTurns([...pages.values()], 1, entriesOf);
  const entries = ofPages.flat().map((entry, id) => ({ ...entry, id }));
  const index = new MiniSearch<Entry>({
    fields: ['title', 'text', 'ofPage'],
    extractField: (entry, field) => (field === 'ofPage' ? entry.page.title : String(entry[field as 'text'])),
    processTerm: termOf,
    searchOptions: {
      boost: { title: TITLE_WEIGHT, ofPage: PAGE_WEIGHT },
      boostDocument: (id) => weightOf(entries[id as number]),
      prefix: true,
      fuzzy: FUZZINESS,
    },
  });
  await mapInTurns(entries, SECTIONS_PER_TURN, (entry) => index.add(entry));
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    const asked = words.join(' ');
    const withAll = index.search(asked, { combineWith: 'AND' });
    const found = withAll.length > 0 ? withAll : index.search(asked, { combineWith: 'OR' });
    const places = found.map(({ id }) => entries[id]).filter((entry) => entry !== undefined);
    // A setting or the reason of a refusal, as it is written.
    const exact = places.filter(({ title }) => title.toLowerCase() === asked);
    return [...new Set([...exact, ...places])]
      .slice(0, MAX_FOUND)
      .map((entry) => ({ ...entry, text: excerptOf(entry.text, words) }));
  };
}

function weightOf(entry: Entry | undefined): number {
  if (entry === undefined) return 0;
  return (entry.isRow ? ROW_WEIGHT : 1) * (entry.page.way === undefined ? OTHER_WEIGHT : 1);
}

const entriesOf = (page: MappedPage): Place[] =>
  sectionsOf(blocksOf(page.markdown)).map(({ title, anchor, text, isRow }) => ({
    title,
    isRow,
    page,
    href: `${page.path}#${anchor}`,
    text,
  }));
