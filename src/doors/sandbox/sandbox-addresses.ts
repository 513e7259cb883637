import type { FastifyInstance } from 'fastify';

/** Addresses for programs; those of pages use a host name, which passkeys and cookies need. */
export type SandboxAddresses = {
  readonly home: string;
  readonly docs: string;
  readonly metrics: string | undefined;
  readonly registrar_api: string;
  readonly reservation_api: string;
  readonly billing_api: string;
  readonly rdap: string;
  readonly lookup: string;
  readonly console: string;
  readonly identity: string;
  /** Absent where EPP is closed. */
  readonly epp?: EppAddress;
  /** Absent where DNS is closed. */
  readonly dns?: DnsAddress;
  /** Absent where WHOIS is closed. */
  readonly whois?: WhoisAddress;
  /** Where webhooks of the sandbox itself can be sent to. */
  readonly webhooks: { readonly catch: string };
};

export type WhoisAddress = { readonly host: string; readonly port: number };

export type DnsAddress = {
  readonly host: string;
  readonly port: number;
  readonly zones: readonly string[];
  /** The key that a secondary transfers with; the secret is in Base64. */
  readonly tsig: { readonly name: string; readonly algorithm: string; readonly secret: string };
};

type Pair = { readonly certificate: string; readonly key: string };
export type EppAddress = {
  readonly host: string;
  readonly port: number;
  /** Of the authority that signed the server's certificate, in PEM. */
  readonly ca_certificate: string;
  /** By username. */
  readonly client_certificates: Readonly<Record<string, Pair>>;
};

export function addressesRoute(app: FastifyInstance, addresses: () => SandboxAddresses): void {
  app.get('/sandbox', async () => addresses());
}
