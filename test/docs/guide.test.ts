import { describe, expect, test } from 'vitest';
import { consolePages } from '../../src/doors/console/pages.ts';
import {
  GUIDE_LINKS,
  guideAddress,
  guideOfApi,
  guideOfConsole,
  guideOfRefusal,
} from '../../src/doors/guide-links.ts';
import { readGuideFiles } from '../../src/doors/pages/guide/guide-files.ts';
import { linkedFiles, mapGuide } from '../../src/doors/pages/guide/guide-map.ts';
import { guidePage } from '../../src/doors/pages/guide/guide-page.ts';
import { WAYS } from '../../src/doors/pages/guide/guide-places.ts';
import { isHighlighted } from '../../src/doors/pages/guide/render-markdown.ts';
import { readApi } from '../../src/doors/pages/reference/model.ts';
import { documentsByName } from '../support/endpoints.ts';
import { catalogues } from './generated-pages.ts';
import { blocksOf, everyPage, readPage } from './markdown.ts';

const map = mapGuide(await readGuideFiles());
const pages = Array.from(map.pages.values(), ({ file }) => file);
const setting = { map, badge: undefined, script: '/guide/copy.js' };
const rendered = new Map(
  await Promise.all(
    Array.from(map.pages.values(), async (page) => [page.path, await guidePage(page, setting)] as const),
  ),
);
const idsOf = (html: string): string[] => Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id);
const targets = new Map(Array.from(rendered, ([path, html]) => [path, new Set(idsOf(html))]));
const exists = (href: string): boolean => {
  const [path = '', anchor] = href.split('#', 2);
  return anchor === undefined
    ? targets.has(path)
    : targets.get(path)?.has(decodeURIComponent(anchor)) === true;
};

/** Fences without colours. */
const PLAIN = new Set(['', 'text', 'haproxy']);

describe('the guide', () => {
  test('success: every page of the documentation is in it', () => {
    const shown = new Set(Array.from(map.pages.values(), ({ file }) => file));
    const documentation = everyPage().filter((file) => /^(docs|packages)\/|^[^/]+$/.test(file));
    expect(documentation.filter((file) => !shown.has(file))).toEqual([]);
  });

  test.each([...rendered])(
    'success: anchors of %s are unique, and its links have their targets',
    (path, html) => {
      const ids = idsOf(html);
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
      const links = Array.from(html.matchAll(/href="((?:\/guide|#)[^"]*)"/g), ([, href = '']) => href);
      const own = links.map((href) => (href.startsWith('#') ? path + href : href));
      const dead = own.filter(
        (href) =>
          !href.endsWith('.md') &&
          !href.includes('.js') &&
          href !== `${path}#content` &&
          !map.pictures.has(href) &&
          !exists(href),
      );
      expect(dead).toEqual([]);
    },
  );

  test('success: code is in a language that is coloured, or said to have no colours', () => {
    const languages = pages.flatMap((file) => blocksOf(readPage(file)).map(({ language }) => language));
    const unknown = languages.filter((language) => !isHighlighted(language) && !PLAIN.has(language));
    expect([...new Set(unknown)]).toEqual([]);
  });
});

describe('links to what explains something', () => {
  const documents = Object.entries(documentsByName()).map(([name, document]) => ({
    name,
    api: readApi(document),
  }));

  test('success: each has its target', () => {
    const { apis, console, refusals } = GUIDE_LINKS;
    const files = [
      ...Object.values(apis).flatMap((groups) => Object.values(groups)),
      ...Object.values(console),
      refusals,
    ];
    expect(files.filter((file) => !exists(guideAddress(file)))).toEqual([]);
  });

  test('success: every group of calls has one, and the table names no other group', () => {
    for (const { name, api } of documents) {
      for (const group of api.groups)
        expect([group.name, guideOfApi(name, group.name)]).not.toContain(undefined);
      const known = ['', ...api.groups.map((group) => group.name)];
      const named = Object.keys(GUIDE_LINKS.apis[name as keyof typeof GUIDE_LINKS.apis]);
      expect(named.filter((group) => !known.includes(group))).toEqual([]);
    }
    expect(guideOfApi('unknown')).toBeUndefined();
  });

  test('success: every page of the console has one, and the table names no other page', () => {
    for (const { path } of consolePages) expect(exists(guideOfConsole(path))).toBe(true);
    for (const start of Object.keys(GUIDE_LINKS.console))
      expect([start, consolePages.some(({ path }) => path.startsWith(start))]).toEqual([start, true]);
    expect(guideOfConsole('/domains/x.ee')).toBe(guideOfConsole('/domains'));
  });

  test('success: every refusal has an address', () => {
    const names = catalogues.flatMap(({ catalogue }) => Object.keys(catalogue));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => !exists(guideOfRefusal(name)))).toEqual([]);
  });
});

/** Made from the code, so as long as that is; or a list of what happened. */
const WITHOUT_LIMIT = (file: string) =>
  file === 'CHANGELOG.md' || readPage(file).startsWith('<!-- Generated');
/** Lines of tables and signs of Markdown are no words. */
const wordsOf = (file: string): number =>
  readPage(file)
    .split(/\s+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text)).length;
const MAX_WORDS_OF_PAGE = 2_500;
const MAX_WORDS = 75_000;

describe('the size of the guide', () => {
  test('success: no page is longer than people read', () => {
    const long = pages.filter((file) => !WITHOUT_LIMIT(file) && wordsOf(file) > MAX_WORDS_OF_PAGE);
    expect(long.map((file) => `${file}: ${wordsOf(file)}`)).toEqual([]);
  });

  test('success: all of it has fewer words than anybody gives up at', () => {
    const words = pages.filter((file) => !WITHOUT_LIMIT(file)).reduce((sum, file) => sum + wordsOf(file), 0);
    expect(words).toBeLessThan(MAX_WORDS);
  });

  test('success: every page is reached from its way in, and each way in from the index', () => {
    const index = linkedFiles(map.pages.get('/guide') ?? expect.fail());
    for (const way of WAYS) expect(index).toContain(`docs/${way}/README.md`);
    const listed = pages.filter(
      (file) => !/\/(troubles|decisions)\/./.test(file) && !/^(docs\/)?README/.test(file),
    );
    expect([...listed, 'docs/decisions/README.md'].filter((file) => !index.includes(file))).toEqual([]);
    expect(map.others.map(({ file }) => file)).toEqual(['CHANGELOG.md']);
    for (const { file, way } of map.pages.values())
      for (const each of WAYS)
        if (file.startsWith(`docs/${each}/`)) expect([file, way]).toEqual([file, each]);
  });
});
