import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { guideAddress } from '../../guide-links.ts';

/** A page of the documentation. */
export type GuideFile = {
  /** Relative to the root of the product. */
  readonly file: string;
  /** Where it is shown. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
};

/** What pages show: a screenshot or a drawing. */
export type Picture = {
  readonly file: string;
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
};

export type GuideFiles = { readonly pages: readonly GuideFile[]; readonly pictures: readonly Picture[] };

const DOCS = path.join(import.meta.dirname, '../../../../docs');
/** Shown beside those of docs. */
const OTHER_PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'packages/sdk/README.md',
  'packages/registrar-cli/README.md',
];
const PICTURE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/** Reads all that is shown. Addresses are looked up in what was read, so that none can name another file. */
export async function readGuideFiles(docs = DOCS): Promise<GuideFiles> {
  const root = path.dirname(docs);
  const inDocs = (await readdir(docs, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
  const pages = [...inDocs.filter((file) => file.endsWith('.md')), ...OTHER_PAGES];
  const pictures = inDocs.filter((file) => path.extname(file) in PICTURE_TYPES);
  return {
    pages: (await Promise.all(pages.map((file) => readPage(root, file)))).filter(
      (page) => page !== undefined,
    ),
    pictures: await Promise.all(pictures.map((file) => readPicture(root, file))),
  };
}

async function readPage(root: string, file: string): Promise<GuideFile | undefined> {
  const text = await readFile(path.join(root, file), 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  // Generated pages begin with a comment for those who would edit them.
  const markdown = text.replace(/^<!--[\s\S]*?-->\s*/, '');
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? path.basename(file, '.md');
  return { file, path: guideAddress(file), title, markdown };
}

/** An installation may leave out what is not in docs. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const readPicture = async (root: string, file: string): Promise<Picture> => ({
  file,
  path: guideAddress(file),
  type: PICTURE_TYPES[path.extname(file)] ?? '',
  content: await readFile(path.join(root, file)),
});
