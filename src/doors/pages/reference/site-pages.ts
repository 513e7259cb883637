import { eventsPage, groupPage, introductionPage } from './api-pages.ts';
import { eventsMarkdown, groupMarkdown, introductionMarkdown, llmsText } from './markdown.ts';
import { overviewPage } from './overview-page.ts';
import { apiPath, DOCS, eventsPath, groupPath } from './places.ts';
import type { LanguageId } from './samples/languages.ts';
import type { ShownApi, Site, View } from './site.ts';

/** A page of the reference, in both of its forms. */
export type SitePage = {
  readonly path: string;
  readonly html: (view: View) => string | Promise<string>;
  readonly markdown: (language: LanguageId) => string;
};

/** Every page but that of a search, in the order of the navigation. */
export const sitePages = (site: Site): readonly SitePage[] => [
  { path: DOCS, html: overviewPage, markdown: (language) => llmsText(site, language) },
  ...site.apis.flatMap(pagesOfApi),
];

function pagesOfApi(shown: ShownApi): SitePage[] {
  const { name, api } = shown;
  return [
    {
      path: apiPath(name),
      html: (view) => introductionPage(shown, view),
      markdown: (language) => introductionMarkdown(shown, language),
    },
    ...api.groups.map((group) => ({
      path: groupPath(name, group),
      html: (view: View) => groupPage(group, shown, view),
      markdown: (language: LanguageId) => groupMarkdown(group, shown, language),
    })),
    ...(api.events.length > 0
      ? [
          {
            path: eventsPath(name),
            html: (view: View) => eventsPage(api.events, view),
            markdown: () => eventsMarkdown(api.events),
          },
        ]
      : []),
  ];
}
