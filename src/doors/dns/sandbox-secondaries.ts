import { canonicalAddress } from '../../platform/values/ip-addresses.ts';
import type { NotifyTarget } from './notify.ts';
import type { SecondaryKey } from './dns-request.ts';

/** The key of the sandbox is public, like its passwords. */
export const SANDBOX_TSIG = {
  name: 'sandbox-key',
  algorithm: 'hmac-sha256',
  secret: 'c2FuZGJveC10c2lnLXNlY3JldC1jYWRhc3RyZS0wMDE=',
} as const;

/** No operator can give a secondary this name: it has a space. */
const SANDBOX_SECONDARY = 'sandbox (public key)';

/** Servers on loopback that NOTIFY is sent to on request. They share one public key, and are known until the reset. */
export class SandboxSecondaries {
  readonly #key: SecondaryKey = {
    ...SANDBOX_TSIG,
    secondary: SANDBOX_SECONDARY,
    secret: Buffer.from(SANDBOX_TSIG.secret, 'base64'),
  };
  readonly #targets = new Map<string, NotifyTarget>();

  get targets(): readonly NotifyTarget[] {
    return [...this.#targets.values()];
  }

  findKey(name: string): SecondaryKey | undefined {
    return name === this.#key.name ? this.#key : undefined;
  }

  /** Whether a request was signed with the public key; what such a secondary has is not recorded. */
  has(secondary: string): boolean {
    return secondary === SANDBOX_SECONDARY;
  }

  /** The server that asks with the public key; undefined where several have it, each of which must answer its NOTIFY. */
  get onlyTarget(): string | undefined {
    const [target, ...others] = this.#targets.keys();
    return others.length === 0 ? target : undefined;
  }

  add(text: string, port: number): void {
    const address = canonicalAddress(text);
    const secondary = `sandbox ${address} ${port}`;
    this.#targets.set(secondary, { secondary, address, port, key: this.#key });
  }

  clear(): void {
    this.#targets.clear();
  }
}
