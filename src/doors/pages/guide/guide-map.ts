import path from 'node:path';
import type { GuideFile, GuideFiles, Picture } from './guide-files.ts';
import { GUIDE, type Way, WAYS } from './guide-places.ts';

/** A page with its place among the others. */
export type MappedPage = GuideFile & {
  readonly way: Way | undefined;
  /** The page that it belongs to; undefined for the first of a way. */
  readonly parent: GuideFile | undefined;
  readonly previous: GuideFile | undefined;
  readonly next: GuideFile | undefined;
};

export type Branch = { readonly page: GuideFile; readonly children: readonly GuideFile[] };
export type WayMap = {
  readonly way: Way;
  readonly first: GuideFile;
  readonly branches: readonly Branch[];
};

export type GuideMap = {
  readonly pages: ReadonlyMap<string, MappedPage>;
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly byFile: ReadonlyMap<string, GuideFile | Picture>;
  readonly ways: readonly WayMap[];
  /** Pages that no way leads to. */
  readonly others: readonly GuideFile[];
};

const LINK = /\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)/g;

/** The files of the documentation that a page links to, in their order, each once. */
export function linkedFiles({ file, markdown }: GuideFile): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const targets = Array.from(prose.matchAll(LINK), ([, target = '']) => target);
  return [
    ...new Set(
      targets
        .filter((target) => !/^\w+:/.test(target))
        .map((target) => path.posix.join(path.posix.dirname(file), target)),
    ),
  ];
}

/**
 * The navigation, made of the links: what the first page of a way links to belongs to the way, and what these link to is
 * below them. A page beside a README.md is below that one, and one in the folder of a way is in no other way.
 */
export function mapGuide(files: GuideFiles): GuideMap {
  const byName = new Map(files.pages.map((page) => [page.file, page]));
  const wayOf = new Map<GuideFile, Way>();
  const parentOf = new Map<GuideFile, GuideFile>();
  const firsts = WAYS.flatMap((way) => {
    const first = byName.get(`docs/${way}/README.md`);
    return first ? [{ way, page: first }] : [];
  });
  for (const { way, page } of firsts) wayOf.set(page, way);
  // Level by level over all ways: a page belongs to the way that has the shortest path to it.
  for (let level = firsts; level.length > 0; )
    level = level.flatMap(({ way, page }) => {
      const found = linkedFiles(page)
        .map((file) => byName.get(file))
        .filter(
          (target) => target !== undefined && !wayOf.has(target) && mayFollow(target, way, page, byName),
        )
        .filter((target) => target !== undefined);
      for (const target of found) {
        wayOf.set(target, way);
        parentOf.set(target, page);
      }
      return found.map((target) => ({ way, page: target }));
    });
  return assemble(files, { firsts, wayOf, parentOf });
}

/** Whether a page may belong to the way of one that links to it. */
function mayFollow(
  { file }: GuideFile,
  way: Way,
  from: GuideFile,
  files: ReadonlyMap<string, GuideFile>,
): boolean {
  if (file === 'docs/README.md') return false;
  // Those of the root are linked from everywhere.
  if (!file.includes('/')) return FIRST_PAGES.has(from.file);
  const home = WAYS.find((each) => file.startsWith(`docs/${each}/`));
  if (home !== undefined && home !== way) return false;
  const index = `${path.posix.dirname(file)}/README.md`;
  const isBelowIndex = index !== file && !FIRST_PAGES.has(index) && files.has(index);
  return !isBelowIndex || from.file === index;
}

/** What is beside these is not below them, and they alone take pages of the root into their way. */
const FIRST_PAGES = new Set(['./README.md', 'docs/README.md', ...WAYS.map((way) => `docs/${way}/README.md`)]);

type Placed = {
  readonly wayOf: ReadonlyMap<GuideFile, Way>;
  readonly parentOf: ReadonlyMap<GuideFile, GuideFile>;
  readonly firsts: readonly { readonly way: Way; readonly page: GuideFile }[];
};

function assemble({ pages, pictures }: GuideFiles, { firsts, wayOf, parentOf }: Placed): GuideMap {
  const below = Map.groupBy(parentOf.keys(), (page) => parentOf.get(page));
  const descendants = (page: GuideFile): GuideFile[] =>
    (below.get(page) ?? []).flatMap((child) => [child, ...descendants(child)]);
  const ways = firsts.map(({ way, page }) => ({
    way,
    first: page,
    branches: (below.get(page) ?? []).map((child) => ({ page: child, children: descendants(child) })),
  }));
  const sequences = ways.map(({ first }) => [first, ...descendants(first)]);
  const neighbours = new Map(
    sequences.flatMap((sequence) =>
      sequence.map((page, place) => [page, [sequence[place - 1], sequence[place + 1]]] as const),
    ),
  );
  const mapped = pages.map((page) => {
    const [previous, next] = neighbours.get(page) ?? [];
    return { ...page, way: wayOf.get(page), parent: parentOf.get(page), previous, next };
  });
  return {
    pages: new Map(mapped.map((page) => [page.path, page])),
    pictures: new Map(pictures.map((picture) => [picture.path, picture])),
    byFile: new Map([...pages, ...pictures].map((each) => [each.file, each])),
    ways,
    others: pages.filter((page) => !wayOf.has(page) && page.path !== GUIDE),
  };
}

/** Where a link of a page leads here: undefined if it names a file that is not shown. */
export function resolveLink({ byFile }: GuideMap, from: GuideFile, target: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(target)) return target;
  const [relative = '', anchor] = target.split('#', 2);
  const file = path.posix.join(path.posix.dirname(from.file), relative);
  const found = byFile.get(file) ?? byFile.get(path.posix.join(file, 'README.md'));
  return found && `${found.path}${anchor === undefined ? '' : `#${anchor}`}`;
}
