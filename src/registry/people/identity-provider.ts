import type { Configuration, CustomFetch } from 'openid-client';
import { readBounded } from '../../platform/read-bounded.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { createLoginStep, takeLoginStep } from './login-steps.ts';

export type IdentitySettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** The least level of assurance that is accepted, such as substantial; any if undefined. */
  readonly minAcr: string | undefined;
  /** In the sandbox the issuer speaks plain HTTP. */
  readonly allowsHttp: boolean;
};

/** Of discovery, the token request and the keys, each. */
const TIMEOUT_SECONDS = 5;
/** Of each of their answers. */
const MAX_ANSWER_BYTES = 1_048_576;
/** How long what an issuer says about itself is used. */
const CONFIGURATION_TTL_MS = 10 * 60_000;
/** Levels of assurance of eIDAS, ascending. Other values are compared as they are. */
const LEVELS = ['low', 'substantial', 'high'];

type State = {
  readonly next: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
};
export type Identified = {
  /** Issuer and subject. An email address proves nothing: issuers differ in whether they check it. */
  readonly identity: string;
  readonly next: string;
  /** Of somebody who was logged in, and wants to link the identity. */
  readonly personId: number | null;
};

/** An identity provider that speaks OpenID Connect: the code flow with state, nonce and PKCE. */
export class IdentityProvider {
  readonly #settings: () => IdentitySettings | undefined;
  readonly #timeoutSeconds: number;
  #known: { readonly at: number; readonly configuration: Configuration } | undefined;

  constructor(settings: () => IdentitySettings | undefined, timeoutSeconds = TIMEOUT_SECONDS) {
    this.#settings = settings;
    this.#timeoutSeconds = timeoutSeconds;
  }

  get isConfigured(): boolean {
    return this.#settings() !== undefined;
  }

  /** Where the browser goes, and the token of the step that waits for it to come back. Throws where the issuer is out of reach. */
  async begin(
    db: Sql,
    { personId, next, redirectUri }: Omit<Identified, 'identity'> & { readonly redirectUri: string },
    now: Date,
  ): Promise<{ readonly address: string; readonly token: string }> {
    const client = await import('openid-client');
    const { scopes, minAcr } = this.#required();
    const configuration = await this.#configuration();
    const verifier = client.randomPKCECodeVerifier();
    const state: State = { next, verifier, state: client.randomState(), nonce: client.randomNonce() };
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: scopes,
      state: state.state,
      nonce: state.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(minAcr !== undefined && { acr_values: minAcr }),
    });
    const token = await createLoginStep(db, 'identity provider', { personId, state }, now);
    return { address: address.href, token };
  }

  /** Who came back, to which address; undefined where the issuer or the browser says anything that does not fit. */
  async finish(db: Sql, token: string, cameBackTo: URL, now: Date): Promise<Identified | undefined> {
    const step = await takeLoginStep<State>(db, 'identity provider', token, now);
    if (!step) return undefined;
    const { state, nonce, verifier, next } = step.state;
    const client = await import('openid-client');
    const tokens = await client.authorizationCodeGrant(await this.#configuration(), cameBackTo, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !isSufficient(claims.acr, this.#required().minAcr)) return undefined;
    return { identity: `${claims.iss} ${claims.sub}`, next, personId: step.personId };
  }

  async #configuration(): Promise<Configuration> {
    if (this.#known && performance.now() - this.#known.at < CONFIGURATION_TTL_MS)
      return this.#known.configuration;
    const { issuer, clientId, clientSecret, allowsHttp } = this.#required();
    const client = await import('openid-client');
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
      {
        timeout: this.#timeoutSeconds,
        [client.customFetch]: fetchBounded,
        // The signature of the ID token is verified, whatever protected its way.
        execute: [client.enableNonRepudiationChecks, ...(allowsHttp ? [client.allowInsecureRequests] : [])],
      },
    );
    this.#known = { at: performance.now(), configuration };
    return configuration;
  }

  #required(): IdentitySettings {
    const settings = this.#settings();
    if (!settings) throw new Error('no identity provider is configured');
    return settings;
  }
}

async function fetchBounded(...[url, options]: Parameters<CustomFetch>): Promise<Response> {
  const { body = null, signal = null, ...rest } = options;
  const response = await fetch(url, { ...rest, body, signal });
  const content = await readBounded(response, MAX_ANSWER_BYTES);
  return new Response(content.length === 0 ? null : content, response);
}

export function isSufficient(acr: unknown, least: string | undefined): boolean {
  if (least === undefined) return true;
  if (!LEVELS.includes(least)) return acr === least;
  return typeof acr === 'string' && LEVELS.indexOf(acr) >= LEVELS.indexOf(least);
}
