import MiniSearch from 'minisearch';
import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { excerptOf } from '../../html/excerpt.ts';
import type { GuideMap, MappedPage } from './guide-map.ts';
import { blocksOf, sectionsOf } from './markdown-blocks.ts';

/** A place of the guide. */
export type FoundPlace = { readonly title: string; readonly page: MappedPage; readonly href: string; readonly text: string };
type Entry = FoundPlace & { readonly id: number };

const MAX_WORDS = 8;
const MAX_FOUND = 30;
const SECTIONS_PER_TURN = 40;
const TITLE_WEIGHT = 3;
const PAGE_WEIGHT = 1.5;
/** Of the length of a word: how many letters may differ. */
const FUZZINESS = 0.2;

/** The index over the sections of all pages, which is made once, while others are served. */
export async function makeGuideSearch({ pages }: GuideMap): Promise<(query: string) => readonly FoundPlace[]> {
  const ofPages = await mapInTurns([...pages.values()], 1, entriesOf);
  const entries = ofPages.flat().map((entry, id) => ({ ...entry, id }));
  const index = new MiniSearch<Entry>({
    fields: ['title', 'text', 'ofPage'],
    extractField: (entry, field) => (field === 'ofPage' ? entry.page.title : String(entry[field as 'text'])),
    searchOptions: { boost: { title: TITLE_WEIGHT, ofPage: PAGE_WEIGHT }, prefix: true, fuzzy: FUZZINESS },
  });
  await mapInTurns(entries, SECTIONS_PER_TURN, (entry) => index.add(entry));
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    const asked = words.join(' ');
    const withAll = index.search(asked, { combineWith: 'AND' });
    const found = withAll.length > 0 ? withAll : index.search(asked, { combineWith: 'OR' });
    return found.slice(0, MAX_FOUND).flatMap(({ id }) => {
      const entry = entries[id];
      return entry ? [{ ...entry, text: excerptOf(entry.text, words) }] : [];
    });
  };
}

const entriesOf = (page: MappedPage): FoundPlace[] =>
  sectionsOf(blocksOf(page.markdown)).map(({ title, anchor, text }) => ({
    title,
    page,
    href: `${page.path}#${anchor}`,
    text,
  }));
