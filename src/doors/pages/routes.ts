import type { FastifyInstance } from 'fastify';
import { CONSOLE_PREFIX } from '../console/prefix.ts';
import { mark } from '../html/layout.ts';
import { sendPage, sendPageWithOwnForm, sendPicture } from '../html/page-answer.ts';
import { PREFIX } from '../registrar-api/prefix.ts';
import { CLIENT_PACKAGE_PATH, clientPackageRoute } from './client-package.ts';
import {
  type ConsoleFacts,
  type Credential,
  type HomeFacts,
  type HomeLink,
  homePage,
  LOOKUP,
  type PortCommands,
} from './home.ts';
import { type GuideDependencies, guideLoader, guideRoutes } from './guide/guide-routes.ts';
import { fontRoutes } from './font-routes.ts';
import { GUIDE } from './guide/guide-places.ts';
import { LLMS_PATH } from './reference/places.ts';
import { type ApiDocuments, referenceRoutes } from './reference.ts';

export type PageDependencies = GuideDependencies & {
  readonly version: string;
  /** The OpenAPI documents, by the name of the API. */
  readonly apis: ApiDocuments;
  /** Whether this is a copy that nothing leaves. */
  readonly isStaging?: () => boolean;
  readonly origin: () => string;
  readonly now: () => Date;
  readonly metricsUrl: () => string | undefined;
  readonly credentials: readonly Credential[];
  readonly console?: () => ConsoleFacts;
  readonly keys: HomeFacts['keys'];
  readonly commands?: () => PortCommands;
  /** Additional entries of the sandbox's home page. */
  readonly links: readonly { readonly what: string; readonly path: string }[];
};

const ORDINARY_PLACES = [
  { what: 'Registrar API', path: PREFIX },
  { what: 'Guide: evaluate, integrate, operate, contribute', path: GUIDE },
  { what: 'API reference', path: '/docs' },
  { what: 'Guide and API reference as Markdown, for programs that read', path: LLMS_PATH },
  { what: 'The registrar API as an OpenAPI document', path: '/openapi.json' },
  { what: 'The reservation API as an OpenAPI document', path: '/openapi/reservation.json' },
  { what: 'The billing API as an OpenAPI document', path: '/openapi/billing.json' },
  { what: 'The client for TypeScript and JavaScript, for npm install', path: CLIENT_PACKAGE_PATH },
  { what: 'Health: the server can ask its database', path: '/health' },
  { what: 'Readiness: the server may be sent requests', path: '/ready' },
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Link checkers use HEAD. */
const OPTIONS = { exposeHeadRoute: true };

/** Pages for people: home, the API reference, the mark, and the typeface of all pages. */
export function pageRoutes(app: FastifyInstance, parts: PageDependencies): void {
  const { mode, version, credentials, keys } = parts;
  app.get('/', OPTIONS, async (_request, reply) =>
    (mode === 'sandbox' ? sendPageWithOwnForm : sendPage)(
      reply,
      homePage({
        mode,
        version,
        credentials,
        keys,
        console: app.hasRoute({ method: 'GET', url: `${CONSOLE_PREFIX}/` }) ? parts.console?.() : undefined,
        isStaging: parts.isStaging?.() ?? false,
        origin: parts.origin(),
        now: parts.now(),
        metricsUrl: parts.metricsUrl(),
        ...parts.commands?.(),
        hasLookup: app.hasRoute({ method: 'GET', url: LOOKUP.href }),
        links: [...ORDINARY_PLACES, ...parts.links].map((place) => withMethods(app, place)),
      }),
    ),
  );
  fontRoutes(app);
  app.get('/favicon.svg', OPTIONS, async (_request, reply) => sendPicture(reply, mark));
  clientPackageRoute(app);
  const loadGuide = guideLoader();
  guideRoutes(app, loadGuide, parts);
  referenceRoutes(app, { ...parts, loadGuide });
}

/** Takes the methods of a path from the router, so that they are declared once. */
function withMethods(app: FastifyInstance, { what, path }: PageDependencies['links'][number]): HomeLink {
  return { what, path, methods: METHODS.filter((method) => app.hasRoute({ method, url: path })) };
}
