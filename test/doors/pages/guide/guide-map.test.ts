import { describe, expect, test } from 'vitest';
import type { GuideFile } from '../../../../src/doors/pages/guide/guide-files.ts';
import { mapGuide, resolveLink } from '../../../../src/doors/pages/guide/guide-map.ts';
import { guideAddress } from '../../../../src/doors/guide-links.ts';

const page = (file: string, ...links: string[]): GuideFile => ({
  file,
  path: guideAddress(file),
  title: file,
  markdown: links.map((link) => `[x](${link})`).join(' '),
});
const pages = [
  page('docs/README.md', 'evaluate/README.md', 'operate/README.md'),
  page('docs/evaluate/README.md', '../proof.md', '../decisions/0001-one.md', '../operate/install.md'),
  page(
    'docs/operate/README.md',
    'install.md#first',
    'troubles/README.md',
    '../decisions/README.md',
    'install.md',
    '../../CONTRIBUTING.md',
  ),
  page('docs/operate/install.md', 'upgrade.md', '../proof.md', '../../CHANGELOG.md'),
  page('docs/operate/upgrade.md'),
  page('docs/operate/troubles/README.md', 'disk.md'),
  page('docs/operate/troubles/disk.md', '../../../src/main.ts'),
  page('docs/proof.md'),
  page('docs/decisions/README.md', '0001-one.md'),
  page('docs/decisions/0001-one.md'),
  page('CONTRIBUTING.md'),
  page('CHANGELOG.md'),
];
const picture = {
  file: 'docs/images/a.png',
  path: '/guide/images/a.png',
  type: 'image/png',
  content: Buffer.of(),
};
const map = mapGuide({ pages, pictures: [picture] });
const at = (path: string) => map.pages.get(path) ?? expect.fail(path);

describe('the navigation of the guide', () => {
  test('success: a README.md is the page of its folder, and files of the root have lower case', () => {
    expect(guideAddress('docs/README.md')).toBe('/guide');
    expect(guideAddress('docs/operate/README.md')).toBe('/guide/operate');
    expect(guideAddress('docs/operate/troubles/disk.md#x')).toBe('/guide/operate/troubles/disk#x');
    expect(guideAddress('README.md')).toBe('/guide/readme');
    expect(guideAddress('packages/sdk/README.md')).toBe('/guide/packages/sdk');
  });

  test('success: what the first page of a way links to is its branch, in this order, and what these link to is below', () => {
    const [evaluate, operate] = map.ways;
    expect(evaluate?.branches.map((branch) => branch.page.file)).toEqual(['docs/proof.md']);
    expect(operate?.branches.map((branch) => branch.page.file)).toEqual([
      'docs/operate/install.md',
      'docs/operate/troubles/README.md',
      'docs/decisions/README.md',
      'CONTRIBUTING.md',
    ]);
    expect(operate?.branches[0]?.children.map(({ file }) => file)).toEqual(['docs/operate/upgrade.md']);
  });

  test('success: a page beside a README.md is below it, whoever else links to it', () => {
    expect(at('/guide/decisions/0001-one').parent?.file).toBe('docs/decisions/README.md');
    expect(at('/guide/decisions/0001-one').way).toBe('operate');
    expect(at('/guide/operate/troubles/disk').parent?.file).toBe('docs/operate/troubles/README.md');
  });

  test('success: pages follow each other within their way', () => {
    expect(at('/guide/operate').previous).toBeUndefined();
    expect(at('/guide/operate').next?.file).toBe('docs/operate/install.md');
    expect(at('/guide/operate/upgrade').next?.file).toBe('docs/operate/troubles/README.md');
    expect(at('/guide/contributing').next).toBeUndefined();
  });

  test('success: pages that no way leads to are listed apart', () => {
    expect(map.others.map(({ file }) => file)).toEqual(['CHANGELOG.md']);
  });

  test('success: links lead to pages, folders and pictures', () => {
    const from = at('/guide/operate/install');
    const resolve = (target: string) => resolveLink(map, from, target);
    expect(resolve('upgrade.md#x')).toBe('/guide/operate/upgrade#x');
    expect(resolve('../images/a.png')).toBe('/guide/images/a.png');
    expect(resolve('troubles')).toBe('/guide/operate/troubles');
    expect(resolve('https://example.ee/')).toBe('https://example.ee/');
  });

  test('failure: links to other files and schemes lead nowhere', () => {
    const from = at('/guide/operate/install');
    for (const target of [
      '../../src/main.ts',
      '../../../../etc/passwd',
      'javascript:alert(1)',
      'data:x',
      '//x',
    ])
      expect(resolveLink(map, from, target)).toBeUndefined();
  });
});
