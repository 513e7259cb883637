import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

/** What an issuer may say wrongly in an ID token, or about itself. */
export type IssuerFaults = {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly isUnsigned?: boolean;
  readonly hasForeignKey?: boolean;
  readonly isWithoutToken?: boolean;
  /** Of every answer. */
  readonly issuer?: string;
};

export type Issuer = {
  readonly url: string;
  /** The nonce that the console has asked for, to be repeated in the token. */
  nonce: string;
  faults: IssuerFaults;
  stop(): Promise<void>;
};

/** An issuer that answers wrongly on demand; it asks nobody to log in, and accepts every code. */
export async function startIssuer(clientId: string): Promise<Issuer> {
  const [own, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const published = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const server = createServer(async (request, response) => {
    const said = request.url?.endsWith('/token')
      ? await tokens()
      : request.url?.endsWith('/jwks')
        ? { keys: [published] }
        : describeItself();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    url,
    nonce: '',
    faults: {},
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const describeItself = () => ({
    issuer: issuer.faults.issuer ?? url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const tokens = async () => {
    const seconds = Math.floor(Date.now() / 1_000);
    const { claims, isUnsigned, hasForeignKey, isWithoutToken } = issuer.faults;
    const said = {
      iss: url,
      aud: clientId,
      sub: 'EE1',
      nonce: issuer.nonce,
      acr: 'substantial',
      iat: seconds,
      exp: seconds + 40,
      ...claims,
    };
    const signed = new SignJWT(said).setProtectedHeader({ alg: 'RS256', kid: 'own' });
    const token = isUnsigned
      ? new UnsecuredJWT(said).encode()
      : await signed.sign((hasForeignKey ? foreign : own).privateKey);
    return { access_token: 'x', token_type: 'bearer', ...(!isWithoutToken && { id_token: token }) };
  };
  return issuer;
}
