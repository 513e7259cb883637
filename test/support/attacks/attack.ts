/** Where an attack goes, and the files and keys that some of them need; all of it can be sent to another process. */
export type Target = {
  /** Of a server on this machine that speaks plain HTTP; the attack on TLS files reads `tls` instead. */
  readonly port: number;
  /** Of the same server, where EPP listens. */
  readonly eppPort?: number;
  /** Where RDAP and the look-up are, if another process serves them. */
  readonly publicPort?: number;
  readonly dnsPort?: number;
  readonly whoisPort?: number;
  readonly credentials?: Credentials;
  /** Of domains that are registered. */
  readonly names?: readonly string[];
  readonly tls?: TlsFiles;
};
/** Values of the Authorization header. Where one is missing, its API is called without any. */
export type Credentials = {
  /** A registrar's user with all rights. */
  readonly registrar?: string;
  /** Another one, whose rate limit is used up by long lists. */
  readonly bulkUser?: string;
  /** Of further registrars, with all rights. */
  readonly others?: readonly string[];
  /** A registrar's user with the role `billing` alone. */
  readonly billingUser?: string;
  readonly portal?: string;
  readonly billingService?: string;
};
export type TlsFiles = {
  readonly tlsKeyFile: string;
  readonly tlsCertificateFile: string;
  /** Valid pairs that the files are rewritten with in turns; the first one is in them at the beginning. */
  readonly identities: readonly { readonly key: string; readonly cert: string }[];
};

/** Ends the attack; resolves once its connections are closed and the files are whole again. */
export type Stop = () => Promise<void>;
export type Attack = {
  readonly name: string;
  /** Against a server that speaks TLS itself. */
  readonly needsTls?: true;
  /** Comes through a proxy that the server trusts, as registrars do then. */
  readonly isBehindProxy?: true;
  start(target: Target): Stop;
};
