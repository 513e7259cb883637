export const GUIDE = '/guide';
export const GUIDE_SEARCH = `${GUIDE}/search`;

/** The four kinds of reader: each has a folder in docs, whose README.md is its first page. */
export const WAYS = ['evaluate', 'integrate', 'operate', 'contribute'] as const;
export type Way = (typeof WAYS)[number];

/** The same page as Markdown. */
export const guideMarkdownPath = (path: string): string => `${path}.md`;
