import type { Api, Call, Group } from './model.ts';
import { DEFAULT_LANGUAGE, type LanguageId } from './samples/languages.ts';

export const DOCS = '/docs';
/** Where the sandbox lets one try a call. */
export const TRIAL_PATH = `${DOCS}/try`;
export const SEARCH_PATH = `${DOCS}/search`;
/** Links of all pages as Markdown. */
export const LLMS_PATH = '/llms.txt';

/** An API with the name of it in addresses. */
export type NamedApi = { readonly name: string; readonly api: Api };

const slugOf = (name: string): string => name.toLowerCase().replace(/\W+/g, '-');

export const apiPath = (api: string): string => `${DOCS}/${api}`;
export const groupPath = (api: string, { name }: Pick<Group, 'name'>): string =>
  `${apiPath(api)}/${slugOf(name)}`;
export const callPath = (api: string, { id, group }: Pick<Call, 'id' | 'group'>): string =>
  `${groupPath(api, { name: group })}#${id}`;
export const eventsPath = (api: string): string => `${apiPath(api)}/events`;
export const eventAnchor = (type: string): string => `event-${type}`;
export const eventPath = (api: string, type: string): string => `${eventsPath(api)}#${eventAnchor(type)}`;

/** The anchors of the outcomes common to all calls of an API. */
export const EVERY_CALL = 'every-call';
export const EVERY_CHANGE = 'every-change';

/** The same page as Markdown; that of the overview is the list for programs. */
export const markdownPath = (path: string): string => (path === DOCS ? LLMS_PATH : `${path}.md`);

/** Links keep the language of the samples that was chosen. */
export function inLanguage(href: string, language: LanguageId): string {
  if (language === DEFAULT_LANGUAGE) return href;
  const [path = '', anchor] = href.split('#', 2);
  return `${path}?code=${language}${anchor === undefined ? '' : `#${anchor}`}`;
}
