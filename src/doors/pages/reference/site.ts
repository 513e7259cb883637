import type { GuideFile } from '../guide/guide-files.ts';
import type { GuideMap } from '../guide/guide-map.ts';
import { readApi } from './model.ts';
import { type Shared, sharedOutcomes } from './outcomes.ts';
import type { NamedApi } from './places.ts';
import type { LanguageId, SampleContext } from './samples/languages.ts';
import type { Caller } from './samples/sample-request.ts';

/** The API that cadastre-sdk is a client of. */
const CLIENT_API = 'registrar';

export type SiteContext = {
  readonly mode: 'sandbox' | 'production';
  readonly caller: Caller;
  /** Whether each call can be tried. */
  readonly hasTrials: boolean;
};
export type ShownApi = NamedApi & { readonly shared: Shared; readonly samples: SampleContext };
/** All that the reference shows. */
export type Site = SiteContext & { readonly apis: readonly ShownApi[]; readonly guide: GuideMap };
/** A page of it, as somebody sees it. */
export type View = { readonly site: Site; readonly path: string; readonly language: LanguageId };

export const showApi = (name: string, document: object, caller: Caller): ShownApi => {
  const api = readApi(document);
  const { calls, resolve, hasBasic } = api;
  const samples = { caller, resolve, hasBasic, hasClient: name === CLIENT_API };
  return { name, api, shared: sharedOutcomes(calls), samples };
};

/** What engineers of registrars, of the portal and of services read, in the order of the guide. */
export const guidesFor = ({ guide }: Pick<Site, 'guide'>): readonly GuideFile[] =>
  guide.ways
    .filter(({ way }) => way === 'integrate')
    .flatMap(({ first, branches }) => [first, ...branches.map(({ page }) => page)]);
