import { html } from '../../html/layout.ts';
import { docsPage } from './docs-page.ts';
import { guideHtml } from './guide-html.ts';
import { type Guide, resolveGuideLink } from './guides.ts';
import { inLanguage } from './places.ts';
import type { View } from './site.ts';

/** A page of the documentation; links to files that this server does not show are text. */
export async function guidePage(guide: Guide, view: View): Promise<string> {
  const resolve = (target: string) => {
    const href = resolveGuideLink(guide, target);
    return href?.startsWith('/') ? inLanguage(href, view.language) : href;
  };
  const shown = await guideHtml(guide.markdown, resolve);
  return docsPage(view, guide.title, html`<div class="guide">${shown}</div>`);
}

const LINK = /\]\(([^)\s]+)\)/g;

/** The same as Markdown, with links that lead somewhere here. */
export const guideMarkdown = (guide: Guide): string =>
  guide.markdown.replace(LINK, (link, target: string) => {
    const [path, anchor] = (resolveGuideLink(guide, target) ?? target).split('#', 2);
    if (!path?.startsWith('/')) return link;
    return `](${path}.md${anchor === undefined ? '' : `#${anchor}`})`;
  });
