import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptForms } from '../html/accept-forms.ts';
import { FormFields } from '../html/form-fields.ts';
import { html, page } from '../html/layout.ts';
import { sendPageWithExternalForm } from '../html/page-answer.ts';
import { FORM_TYPE } from '../http/negotiation.ts';

/** Made-up people; the person who logs in chooses one. */
const SUBJECTS = [
  { sub: 'EE60001019906', name: 'Mary Änn O’Connež-Šuslik' },
  { sub: 'EE38001085718', name: 'Jaak-Kristjan Jõeorg' },
  { sub: 'EE49002124277', name: 'Liis Mari Männik' },
] as const;
const CODE_TTL_MS = 30_000;
const TOKEN_SECONDS = 40;
const MAX_CODES = 1_000;
/** What a browser and a client send is short. */
const BODY_LIMIT = 65_536;
const KEY_ID = 'sandbox';

export type SimulatedIdentity = {
  readonly issuer: () => string;
  readonly clientId: string;
  readonly clientSecret: string;
};
type Granted = {
  readonly sub: string;
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly at: number;
};

const PATH = '/sandbox/identity';

/** An identity provider that believes everybody: discovery, the page, the token and the keys, as OpenID Connect has them. */
export function identityRoutes(app: FastifyInstance, simulated: SimulatedIdentity): void {
  const { clientId, clientSecret } = simulated;
  const grants = new Grants();
  let keys: ReturnType<typeof makeKeys> | undefined;
  const keyPair = () => (keys ??= makeKeys());

  app.get(`${PATH}/.well-known/openid-configuration`, async () => describe(simulated.issuer()));

  app.get(`${PATH}/jwks`, async () => ({ keys: [(await keyPair()).published] }));

  app.get(`${PATH}/authorize`, { config: { linkedFromElsewhere: true } }, async (request, reply) => {
    const asked = request.query as Readonly<Record<string, unknown>>;
    const text = (name: string) => (typeof asked[name] === 'string' ? asked[name] : '');
    const isKnown = text('client_id') === clientId && URL.canParse(text('redirect_uri'));
    if (!isKnown || text('response_type') !== 'code' || text('code_challenge_method') !== 'S256')
      return reply.code(400).send({ error: 'The request for an identity is not complete.' });
    return sendPageWithExternalForm(reply, choicePage(text));
  });

  app.register(async (scope) => {
    acceptForms(scope, BODY_LIMIT);

    scope.post(`${PATH}/authorize`, async (request, reply) => {
      const form = formOf(request);
      const subject = SUBJECTS.find(({ sub }) => sub === form.get('sub'));
      const redirectUri = form.get('redirect_uri') ?? '';
      if (!subject || !URL.canParse(redirectUri))
        return reply.code(400).send({ error: 'Choose one of the people of the page.' });
      const to = new URL(redirectUri);
      to.searchParams.set('code', grants.add(form, subject.sub));
      to.searchParams.set('state', form.get('state') ?? '');
      return reply.redirect(to.href, 303);
    });

    scope.post(`${PATH}/token`, { config: { bodyType: FORM_TYPE } }, async (request, reply) => {
      if (!isClient(request.headers.authorization, clientId, clientSecret))
        return reply.code(401).send({ error: 'invalid_client' });
      const granted = grants.take(formOf(request));
      if (!granted) return reply.code(400).send({ error: 'invalid_grant' });
      const { privateKey } = await keyPair();
      const idToken = await signToken(granted, simulated, privateKey);
      return { access_token: randomBytes(16).toString('base64url'), token_type: 'Bearer', id_token: idToken };
    });
  });
}

const describe = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  scopes_supported: ['openid'],
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
});

function choicePage(asked: (name: string) => string): string {
  const kept = ['redirect_uri', 'state', 'nonce', 'code_challenge'].map(
    (name) => html`<input type="hidden" name="${name}" value="${asked(name)}">`,
  );
  const choices = SUBJECTS.map(
    ({ sub, name }) => html`<p><button name="sub" value="${sub}">${name}, ${sub}</button></p>`,
  );
  const body = html`<h1>Who are you?</h1>
<p class="lead">The identity provider of the sandbox believes everybody.</p>
<form class="search" method="post" action="${PATH}/authorize">${kept}${choices}</form>`;
  return page({ title: 'Identity provider', lang: 'en', badge: 'Sandbox', body });
}

/** The codes that were handed out; each is good once. */
class Grants {
  readonly #codes = new Map<string, Granted>();

  add(form: FormFields, sub: string): string {
    const code = randomBytes(16).toString('base64url');
    if (this.#codes.size >= MAX_CODES) this.#codes.clear();
    this.#codes.set(code, {
      sub,
      nonce: form.get('nonce'),
      redirectUri: form.get('redirect_uri') ?? '',
      at: performance.now(),
      challenge: form.get('code_challenge') ?? '',
    });
    return code;
  }

  /** Undefined unless it is the one that began who asks. */
  take(form: FormFields): Granted | undefined {
    const code = form.get('code') ?? '';
    const granted = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      granted !== undefined &&
      performance.now() - granted.at < CODE_TTL_MS &&
      granted.redirectUri === form.get('redirect_uri') &&
      isSame(challenge, granted.challenge);
    return isGood ? granted : undefined;
  }
}

async function signToken(
  { nonce, sub }: Granted,
  { issuer, clientId }: SimulatedIdentity,
  privateKey: Awaited<ReturnType<typeof makeKeys>>['privateKey'],
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ nonce, acr: 'high' })
    .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
    .setIssuer(issuer())
    .setSubject(sub)
    .setAudience(clientId)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .sign(privateKey);
}

async function makeKeys() {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return {
    privateKey,
    published: { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' },
  };
}

const formOf = ({ body }: FastifyRequest): FormFields =>
  body instanceof FormFields ? body : new FormFields();

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Both parts of the credentials are form-encoded first (RFC 6749, section 2.3.1). */
function isClient(header: string | undefined, clientId: string, clientSecret: string): boolean {
  const [scheme, encoded = ''] = (header ?? '').split(' ', 2);
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(':', 2);
  const decoded = [...new URLSearchParams(`id=${id}&secret=${secret}`).values()];
  return scheme === 'Basic' && isSame(JSON.stringify(decoded), JSON.stringify([clientId, clientSecret]));
}
