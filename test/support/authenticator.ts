import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

type Asked = { readonly challenge: string };
type Creation = Asked & { readonly rp: { readonly id: string }; readonly user: { readonly id: string } };

/** What an authenticator, or the browser in front of it, may say wrongly. */
export type AuthenticatorFaults = {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly flags?: number;
  readonly userHandle?: string;
  readonly type?: string;
  /** Of an RSA key, which it has then. */
  readonly modulusBytes?: number;
  readonly idBytes?: number;
  readonly transports?: unknown;
};

/** An authenticator with one passkey, as far as the console can tell: a P-256 key without attestation. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  readonly #origin: string;
  #rpId = '';
  #userHandle = '';
  #counter = 1;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer to what the console asks in data-options. */
  create(options: Creation, faults: AuthenticatorFaults = {}): string {
    this.#rpId = options.rp.id;
    this.#userHandle = options.user.id;
    const key = faults.modulusBytes === undefined ? this.#key() : rsaKey(faults.modulusBytes);
    const id = faults.idBytes === undefined ? this.#id : randomBytes(faults.idBytes);
    const credential = Buffer.concat([Buffer.alloc(16), inTwoBytes(id.length), id, key]);
    const flags = faults.flags ?? USER_PRESENT | USER_VERIFIED | ATTESTED;
    const data = Buffer.concat([this.#data(flags, faults), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59]),
      inTwoBytes(data.length),
      data,
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options, faults).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: faults.transports ?? ['internal'],
    });
  }

  get(options: Asked, faults: AuthenticatorFaults = {}): string {
    this.#counter += 1;
    const data = this.#data(faults.flags ?? USER_PRESENT | USER_VERIFIED, faults);
    const client = this.#clientData('webauthn.get', options, faults);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
      userHandle: faults.userHandle ?? this.#userHandle,
    });
  }

  #key(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  #data(flags: number, { counter = this.#counter, rpId = this.#rpId }: AuthenticatorFaults): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }

  #clientData(type: string, { challenge }: Asked, faults: AuthenticatorFaults): Buffer {
    const said = { type, challenge, origin: this.#origin, crossOrigin: false };
    const { type: otherType = type, challenge: other = challenge, origin = this.#origin } = faults;
    return Buffer.from(JSON.stringify({ ...said, type: otherType, challenge: other, origin }));
  }

  #answer(response: object): string {
    const id = this.#id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}

function inTwoBytes(length: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length);
  return bytes;
}

/** In COSE, with any modulus: nothing is signed with it. */
const rsaKey = (modulusBytes: number): Buffer =>
  Buffer.concat([
    Buffer.from('a4010303390100', 'hex'),
    Buffer.from([0x20, 0x59]),
    inTwoBytes(modulusBytes),
    randomBytes(modulusBytes),
    Buffer.from('2143010001', 'hex'),
  ]);
