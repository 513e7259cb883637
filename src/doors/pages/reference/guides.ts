import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { GUIDES_PATH } from './places.ts';

/** A page of the documentation that the server has with it. */
export type Guide = {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Relative to the root of the product. */
  readonly file: string;
  readonly markdown: string;
};

const DOCUMENTATION = path.join(import.meta.dirname, '../../../../docs');
const CLIENT = path.join(import.meta.dirname, '../../../../packages/sdk');

/** What engineers of registrars, of the portal and of services read, in the order of the navigation. */
const GUIDES = [
  'docs/integrate/quickstart.md',
  'docs/integrate/rest.md',
  'docs/integrate/guarantees.md',
  'docs/integrate/contacts.md',
  'docs/integrate/domains.md',
  'docs/integrate/domain-changes.md',
  'docs/integrate/transfers.md',
  'docs/integrate/money.md',
  'docs/integrate/messages.md',
  'docs/integrate/webhooks.md',
  'docs/integrate/event-types.md',
  'docs/integrate/retrying.md',
  'docs/integrate/errors.md',
  'packages/sdk/README.md',
  'docs/integrate/certificates.md',
  'docs/integrate/from-the-incumbent.md',
  'docs/integrate/incumbent-refusals.md',
  'docs/integrate/divergences.md',
  'docs/integrate/epp.md',
  'docs/integrate/epp-contacts.md',
  'docs/integrate/epp-domains.md',
  'docs/integrate/epp-messages.md',
  'docs/integrate/epp-refusals.md',
  'docs/integrate/rdap.md',
  'docs/integrate/whois.md',
  'docs/integrate/reservation-api.md',
  'docs/integrate/billing.md',
];
const NAMES: Readonly<Record<string, string>> = { 'packages/sdk/README.md': 'client' };

const nameOf = (file: string): string => NAMES[file] ?? path.basename(file, '.md');

export const readGuides = async (): Promise<readonly Guide[]> => Promise.all(GUIDES.map(readGuide));

async function readGuide(file: string): Promise<Guide> {
  const [folder = '', ...rest] = file.split('/');
  const place = folder === 'docs' ? path.join(DOCUMENTATION, ...rest) : path.join(CLIENT, ...rest.slice(1));
  // Generated pages begin with a comment for those who would edit them.
  const text = (await readFile(place, 'utf8')).replace(/^<!--[\s\S]*?-->\s*/, '');
  const name = nameOf(file);
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? name;
  return { name, title, path: `${GUIDES_PATH}/${name}`, file, markdown: text };
}

/** Where a link of a guide leads here; nowhere if it names a file that is not shown. */
export function resolveGuideLink(from: Guide, target: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(target)) return target;
  const [relative = '', anchor] = target.split('#', 2);
  const file = path.posix.join(path.posix.dirname(from.file), relative);
  if (!GUIDES.includes(file)) return undefined;
  return `${GUIDES_PATH}/${nameOf(file)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** A heading with what stands below it. */
export type Section = {
  readonly level: number;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
};

export function sectionsOf({ markdown }: Guide): Section[] {
  const anchors = new Map<string, number>();
  return markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, (code) => code.replaceAll(/^#/gm, ' #'))
    .split(/^(?=#{1,6} )/m)
    .filter((section) => section.startsWith('#'))
    .map((section) => {
      const [line = '', ...lines] = section.split('\n');
      const heading = line.replace(/^#+ /, '');
      return {
        level: line.length - heading.length - 1,
        heading: plainText(heading),
        anchor: anchorOf(heading, anchors),
        text: plainText(lines.join(' ')),
      };
    });
}

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[`|*]|---|```\w*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The anchors that other readers of Markdown give headings, which links name. */
export function anchorOf(text: string, anchors: Map<string, number>): string {
  const plain = text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = anchors.get(plain) ?? 0;
  anchors.set(plain, count + 1);
  return count === 0 ? plain : `${plain}-${count}`;
}
