import { commandBlock } from '../html/code-block.ts';
import { firstRequests } from './first-requests.ts';
import { GUIDE } from './guide/guide-places.ts';
import { type Html, html, page } from '../html/layout.ts';
import { table } from '../html/table.ts';
import { PREFIX } from '../registrar-api/prefix.ts';

export type Credential = {
  readonly registrar: string;
  readonly username: string;
  readonly password: string;
  readonly roles: string;
  readonly balance: string;
};

/** Somebody who can log in to the console. */
export type SeedPerson = {
  readonly registrar: string;
  readonly email: string;
  readonly password: string;
  readonly roles: string;
};

export type ConsoleFacts = { readonly url: string; readonly people: readonly SeedPerson[] };

/** A page or a call; without methods it is a base address. */
export type HomeLink = { readonly what: string; readonly path: string; readonly methods: readonly string[] };

/** How to try a door with a port of its own, where it is open. */
export type PortCommands = {
  readonly eppCommand?: string | undefined;
  readonly dnsCommand?: string | undefined;
  readonly whoisCommand?: string | undefined;
};

export type HomeFacts = PortCommands & {
  readonly mode: 'sandbox' | 'production';
  readonly version: string;
  /** A copy for tests, which visitors must not take for the registry. */
  readonly isStaging?: boolean;
  readonly origin: string;
  readonly now: Date;
  readonly metricsUrl: string | undefined;
  readonly credentials: readonly Credential[];
  /** Set where this process serves it. */
  readonly console?: ConsoleFacts | undefined;
  /** Keys of the other APIs. */
  readonly keys: readonly { readonly what: string; readonly key: string }[];
  readonly links: readonly HomeLink[];
  /** Whether this process serves the page of look-ups. */
  readonly hasLookup?: boolean;
};

export const homePage = (facts: HomeFacts): string =>
  facts.mode === 'sandbox' ? sandboxHome(facts) : productionHome(facts);

export const LOOKUP = { text: 'Look up a domain', href: '/lookup' };
const DOCS = { text: 'API reference', href: '/docs' };
const GUIDE_LINK = { text: 'Guide', href: GUIDE };

/** Public, so it reveals nothing that helps an attacker. */
function productionHome({ version, isStaging, hasLookup }: HomeFacts): string {
  return page({
    title: 'Cadastre',
    lang: 'en',
    ...(isStaging && { badge: 'Staging' }),
    body: html`<h1>Cadastre</h1>
<p class="lead">${
      isStaging
        ? 'A copy of a domain registry for tests: what is registered here is registered nowhere, and nothing leaves it. Version'
        : 'A domain registry, version'
    } ${version}.</p>
${[...(hasLookup ? [LOOKUP] : []), GUIDE_LINK, DOCS].map(({ href, text }) => html`<p><a href="${href}">${text}</a></p>`)}`,
  });
}

function sandboxHome(facts: HomeFacts): string {
  return page({
    title: 'Cadastre sandbox',
    lang: 'en',
    badge: 'Sandbox',
    links: [
      ...(facts.hasLookup ? [LOOKUP] : []),
      GUIDE_LINK,
      DOCS,
      { text: 'OpenAPI', href: '/openapi.json' },
    ],
    body: html`<h1>A domain registry to try things on</h1>
<p class="lead">This is a complete registry on its own database, with registrars, money and a clock that you can move.
Nothing here is real: no domain reaches the public DNS, no mail leaves this machine, and one call brings everything back to the start.</p>
${glance(facts)}
${consoleSection(facts)}
${exampleSection(facts)}<h2 id="credentials">Credentials</h2>
<p>Sign in with HTTP Basic. These users exist in every sandbox.</p>
${credentialTable(facts.credentials)}
<h2 id="keys">Other keys</h2>
<p>The portal, the services that issue invoices, and the payment provider have keys of their own.</p>
${keyTable(facts)}
<h2 id="first-requests">Four requests to begin with</h2>
<p>Paste them in this order. A click on a request selects the whole of it.</p>
${requests(facts)}
${eppSection(facts)}
${dnsSection(facts)}
${whoisSection(facts)}
<h2 id="links">What runs where</h2>
${linkTable(facts)}`,
    footer: html`<p>Cadastre ${facts.version} · Apache-2.0</p>`,
  });
}

function glance({ origin, now }: HomeFacts): Html {
  const time = now.toISOString();
  return html`<dl class="facts">
<div><dt>API base</dt><dd><code>${origin}${PREFIX}</code></dd></div>
<div><dt>The registry’s clock</dt><dd><time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)} UTC</time></dd></div>
</dl>`;
}

/** For those who are not engineers, it is the first thing to try. */
function consoleSection({ console: facts }: HomeFacts): Html {
  if (facts === undefined) return html``;
  const columns = [
    { title: 'Registrar' },
    { title: 'Email address' },
    { title: 'Password' },
    { title: 'Role' },
  ];
  const rows = facts.people.map(({ registrar, email, password, roles }) => [
    registrar,
    html`<code>${email}</code>`,
    html`<code>${password}</code>`,
    roles,
  ]);
  return html`<h2 id="console">The registrars’ console</h2>
<p>People of registrars work in the browser: <a href="${facts.url}">open the console</a> and log in as one of them.</p>
${table({ label: 'People of this sandbox', columns }, rows)}`;
}

export const EXAMPLE_DATA = '/sandbox/example-data';

/** Only where the sandbox can be filled: not in tests of the page alone. */
function exampleSection({ links }: HomeFacts): Html {
  if (!links.some(({ path, methods }) => path === EXAMPLE_DATA && methods.includes('POST'))) return html``;
  return html`<h2 id="example-data">Example data</h2>
<p>Fills Alpha Registrar with a year of work: 300 domains in all states, customers, charges, invoices, messages, and webhooks of which one fails.
It takes some seconds and moves the registry’s clock 13 months ahead; a reset takes everything back.</p>
<form class="search" method="post" action="${EXAMPLE_DATA}"><button>Load the example data</button></form>
`;
}

function credentialTable(credentials: readonly Credential[]): Html {
  const columns = [
    { title: 'Registrar' },
    { title: 'User' },
    { title: 'Password' },
    { title: 'Role' },
    { title: 'Opening balance', number: true },
  ];
  const rows = credentials.map(({ registrar, username, password, roles, balance }) => [
    registrar,
    html`<code>${username}</code>`,
    html`<code>${password}</code>`,
    roles,
    balance,
  ]);
  return table({ label: 'Users of this sandbox', columns }, rows);
}

function keyTable({ keys }: HomeFacts): Html {
  const columns = [{ title: 'For' }, { title: 'Key' }];
  return table(
    { label: 'Keys of this sandbox', columns },
    keys.map(({ what, key }) => [what, html`<code>${key}</code>`]),
  );
}

function requests({ origin, credentials: [first] }: HomeFacts): Html {
  const steps = firstRequests(origin, first ? `${first.username}:${first.password}` : '');
  return html`<ol class="steps">${steps.map(
    ({ explanation, command }) => html`<li><p>${explanation}</p>
${commandBlock('Request', command)}</li>`,
  )}</ol>`;
}

function eppSection({ eppCommand, credentials: [first] }: HomeFacts): Html {
  if (eppCommand === undefined) return html``;
  return html`<h2 id="epp">EPP</h2>
<p>EPP listens on a port of its own, over TLS. This connects with a client certificate of ${first?.username ?? ''} and shows the greeting;
users and passwords are the same as above, and a certificate is optional. Programs find port and certificates at <a href="/sandbox"><code>/sandbox</code></a>.</p>
${commandBlock('Command', eppCommand)}`;
}

function dnsSection({ dnsCommand }: HomeFacts): Html {
  if (dnsCommand === undefined) return html``;
  return html`<h2 id="dns">DNS</h2>
<p>Secondaries transfer the zones from a port of their own, by UDP and TCP, with the key of the sandbox. This shows a zone as it is published;
programs find port, zones and key at <a href="/sandbox"><code>/sandbox</code></a>.</p>
${commandBlock('Command', dnsCommand)}`;
}

function whoisSection({ whoisCommand }: HomeFacts): Html {
  if (whoisCommand === undefined) return html``;
  return html`<h2 id="whois">WHOIS</h2>
<p>Anybody can ask for a domain, by WHOIS, by RDAP and on a page. All three show the same; programs find their addresses at <a href="/sandbox"><code>/sandbox</code></a>.</p>
${commandBlock('Command', whoisCommand)}`;
}

function linkTable({ origin, links, metricsUrl }: HomeFacts): Html {
  const rows = links.map(({ what, path, methods }) => [
    what,
    methods.join(', '),
    address(origin, path, methods),
  ]);
  const metrics = metricsUrl && [
    ['Metrics for Prometheus', 'GET', html`<a href="${metricsUrl}"><code>${metricsUrl}</code></a>`],
  ];
  return table(
    { label: 'What runs where', columns: [{ title: 'What' }, { title: 'Methods' }, { title: 'Where' }] },
    [...rows, ...(metrics || [])],
  );
}

/** Only what answers GET becomes a link. */
function address(origin: string, path: string, methods: readonly string[]): Html {
  return methods.includes('GET')
    ? html`<a href="${path}"><code>${path}</code></a>`
    : html`<code>${methods.length > 0 ? path : origin + path}</code>`;
}
