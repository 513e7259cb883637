import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';

/** Whom browsers bind passkeys to: the host of the console, and the origin of its pages. */
export type RelyingParty = { readonly id: string; readonly origin: string };

export const relyingPartyOf = (publicUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
};

const NAME = 'Cadastre';
/** As long as its step. */
const TIMEOUT_MS = 5 * 60_000;
/** Ed25519, P-256 and RSA (COSE): every authenticator has one of them, and Node verifies all without an experiment. */
const ALGORITHMS = [-8, -7, -257];

/** Few requests need it: nobody else should wait for it. */
const library = () => import('@simplewebauthn/server');

type NewPasskeyOwner = {
  readonly personId: number;
  readonly email: string;
  readonly name: string;
  readonly passkeys: readonly { readonly credentialId: string; readonly transports: readonly string[] }[];
};

/** Which person a passkey is for, as the passkey knows it; nothing that tells who it is. */
export const userHandleOf = (personId: number): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`person ${personId}`);

export async function registrationOptions(party: RelyingParty, owner: NewPasskeyOwner) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    userName: owner.email,
    userDisplayName: owner.name,
    userID: userHandleOf(owner.personId),
    excludeCredentials: owner.passkeys.map(({ credentialId: id, transports }) => ({
      id,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export async function authenticationOptions(party: RelyingParty) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
}

/** Of at most 1,023 bytes, as in WebAuthn: no other text is sought in the database. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

/** What a browser sent, as far as it is an object with the id of a credential; the library checks the rest. */
export function parseResponse<T extends { readonly id: string }>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
    return typeof id === 'string' && CREDENTIAL_ID.test(id) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

type Expected = RelyingParty & { readonly challenge: string };
const expectations = ({ id, origin, challenge }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
});

/** An RSA key of 8,192 bits in COSE, and the longest name that WebAuthn allows. */
const MAX_KEY_BYTES = 1_040;
const MAX_ID_BYTES = 1_023;
const isOfUsualSize = ({ id, publicKey }: WebAuthnCredential): boolean =>
  publicKey.byteLength <= MAX_KEY_BYTES && Buffer.byteLength(id, 'base64url') <= MAX_ID_BYTES;

const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'] as const;

/** A browser may send anything, which the library does not check; transports are hints only. */
const withKnownTransports = (credential: WebAuthnCredential): WebAuthnCredential => {
  const given: unknown = credential.transports;
  const transports = Array.isArray(given) ? TRANSPORTS.filter((known) => given.includes(known)) : [];
  return { ...credential, transports };
};

/** The credential of a new passkey; undefined for whatever is wrong with it. */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  expected: Expected,
): Promise<WebAuthnCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  try {
    const verified = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expectations(expected),
    });
    const credential = verified.registrationInfo?.credential;
    return credential && isOfUsualSize(credential) ? withKnownTransports(credential) : undefined;
  } catch {
    return undefined;
  }
}

/** The new counter of a passkey that has signed; undefined for whatever is wrong, a counter that went back too. */
export async function verifyAuthentication(
  response: AuthenticationResponseJSON,
  credential: WebAuthnCredential,
  expected: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      credential,
      ...expectations(expected),
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
